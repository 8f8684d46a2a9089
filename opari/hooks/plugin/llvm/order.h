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

/* Finds such loops in a nest that keeps its hooks. */
void find_ordered(llvm::Loop *nest, const struct plugin_known &known, llvm::SmallVectorImpl<llvm::Loop *> &ordered);

/* Lets loops of one function hand their accesses over in place of their hooks, where they still are such loops.  They
 * are in simplified form. */
void make_ordered(llvm::ArrayRef<llvm::Loop *> loops, const struct plugin_known &known, struct plugin_counts *counts);

#endif
