/*
 * Order: loops that are counted as a whole where the order of accesses is needed, as by the cache model.
 *
 * It is for innermost loops of the second version of a nest, when the addresses of all their accesses advance by steps
 * that stay the same, for a number of iterations that is known before.  They get a further version, without hooks,
 * which hands all accesses over before it begins.
 */
#ifndef KINST_PLUGIN_ORDER_H
#define KINST_PLUGIN_ORDER_H

#include "run.h"

/* Makes the further version of the loops in these nests. */
void make_ordered(const vec<class loop *> &by_hooks, struct plugin_counts *counts);

#endif
