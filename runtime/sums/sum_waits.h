/*
 * Waits: adds up the threads' arrivals at barriers, and makes the profile's waits of them.
 */
#ifndef OMPP_SUMS_SUM_WAITS_H
#define OMPP_SUMS_SUM_WAITS_H

#include "reports/profile/profile.h"
#include "runtime/host/clock.h"
#include "runtime/sums/sum_merge.h"

/* Returns the waits of a cell, which are made if there are none; never NULL.  Sets merge->failed when there is no
 * memory. */
struct ompp_merge_waits *ompp_sum_waits_of(struct ompp_merge *merge, struct ompp_merge_sums *sums);

/* Adds the arrivals of a node to a cell.  Sets merge->failed when there is no memory. */
void ompp_sum_waits(struct ompp_merge *merge, struct ompp_merge_sums *sums, const struct ompp_callnode *node);

/* Adds what a node's teams took to start and end to the cell of the row that forks them.  Sets merge->failed when there
 * is no memory. */
void ompp_sum_managing(struct ompp_merge *merge, struct ompp_merge_sums *sums, const struct ompp_callnode *node);

/* Makes room for the waits of all sums.  Returns 0 or -ENOMEM. */
int ompp_collect_waits_start(struct ompp_merge *merge, struct ompp_profile *profile);

/* Adds the waits of one cell to the profile.  Cells must come in ascending order. */
void ompp_collect_wait(const struct ompp_merge *merge, struct ompp_profile *profile, uint32_t cell,
                       const struct ompp_merge_sums *sums, struct ompp_clock_rate rate);

/* Compares the work of the rows of one call path over time.
 * first: index of the path's first wait, the last of which is the profile's last
 * sums: indices of the sums of its rows, n_sums of them, in the order of its waits; their series are changed */
void ompp_collect_waits_compare(const struct ompp_merge *merge, struct ompp_profile *profile, size_t first,
                                const uint32_t *sums, size_t n_sums, struct ompp_clock_rate rate);

#endif
