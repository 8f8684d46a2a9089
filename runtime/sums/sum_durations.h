/*
 * Durations: adds up the durations of visits (statistics/durations.h) over threads, and makes the profile's durations
 * of them.
 */
#ifndef OMPP_SUMS_SUM_DURATIONS_H
#define OMPP_SUMS_SUM_DURATIONS_H

#include "reports/profile/profile.h"
#include "runtime/host/clock.h"
#include "runtime/sums/sum_merge.h"

/* Adds the durations of a node to a cell.  Sets merge->failed when there is no memory. */
void ompp_sum_durations(struct ompp_merge *merge, struct ompp_merge_sums *sums, const struct ompp_callnode *node);

/* Makes room for the durations of all sums.  Returns 0 or -ENOMEM. */
int ompp_collect_durations_start(struct ompp_merge *merge, struct ompp_profile *profile);

/* Adds the durations of one cell to the profile.  Cells must come in ascending order. */
void ompp_collect_durations(const struct ompp_merge *merge, struct ompp_profile *profile, uint32_t cell,
                            const struct ompp_merge_sums *sums, struct ompp_clock_rate rate);

#endif
