/*
 * Lines: computes which cache lines several threads write, or one writes while others read other bytes of it.
 */
#ifndef OMPP_DATA_SUMS_SUM_LINES_H
#define OMPP_DATA_SUMS_SUM_LINES_H

#include "runtime/sums/sum_merge.h"

/* Adds one thread's data on the lines that it wrote, or loaded from while others wrote them.  path and row have an
 * entry for each of the thread's nodes, by the node's index. */
void ompp_merge_lines(struct ompp_merge *merge, const struct ompp_thread *t, const uint32_t *path, const uint32_t *row,
                      uint32_t n_nodes);

/* Fills in the profile's shared lines, and adds the patterns of false sharing.  The rows must be final; region_index is
 * as in collect.c.  Returns 0 or -ENOMEM. */
int ompp_collect_lines(struct ompp_merge *merge, struct ompp_profile *profile, const uint32_t *region_index);

#endif
