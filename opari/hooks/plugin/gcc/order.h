/*
 * Order: loops that are counted as a whole although the order of accesses matters, as it does for the cache model.
 *
 * These are innermost loops of the second version of a nest in which all addresses advance by constant steps, for a
 * number of iterations that is known on entry.  They get another version, without hooks, which hands over all accesses
 * before it begins.  If the nest is such a loop alone, its first version, which has no hooks either, is used for that.
 */
#ifndef KINST_PLUGIN_ORDER_H
#define KINST_PLUGIN_ORDER_H

#include "run.h"

/* Makes the further version of the loops in these nests, whose first versions have their runs already. */
void make_ordered(const vec<class loop *> &nests, const vec<class loop *> &by_hooks, struct plugin_counts *counts);

#endif
