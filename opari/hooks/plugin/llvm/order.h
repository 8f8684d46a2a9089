/*
 * Order: loops that are counted as a whole although the order of accesses matters, as it does for the cache model.
 *
 * These are innermost loops of the second version of a nest in which all addresses advance by constant steps, for a
 * number of iterations that is known on entry.  They get another version, without hooks, which hands over all accesses
 * before it begins.
 */
#ifndef KINST_PLUGIN_ORDER_H
#define KINST_PLUGIN_ORDER_H

#include "run.h"

/* Finds such loops in a nest that keeps its hooks. */
void find_ordered(llvm::Loop *nest, const struct plugin_known &known, llvm::SmallVectorImpl<llvm::Loop *> &ordered);

/* Lets loops of one function hand over their accesses instead of calling hooks, if they are still such loops.  They
 * must be in simplified form. */
void make_ordered(llvm::ArrayRef<llvm::Loop *> loops, const struct plugin_known &known, struct plugin_counts *counts);

#endif
