/*
 * Diff tree: the call paths of all runs of a comparison as one tree, for a flame graph of the difference.
 *
 * Paths are the same whose regions are, from the program down (match.h).  A path is as long as its wall-clock time
 * (analysis/weights.h), in the mean of the runs of a side; a run without it took 0.
 */
#ifndef OMPP_DIFF_TREE_H
#define OMPP_DIFF_TREE_H

#include "reports/compare/diff_values.h"

/* Makes the tree of the runs, without the differences.  Returns 0 or -ENOMEM. */
int ompp_diff_tree_make(const struct ompp_diff_values *values, struct ompp_diff_tree *tree);

#endif
