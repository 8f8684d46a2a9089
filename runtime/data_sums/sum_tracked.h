/*
 * Tracked: computes the profile's instances from the tracked blocks (data/tracked.h).
 */
#ifndef OMPP_DATA_SUMS_SUM_TRACKED_H
#define OMPP_DATA_SUMS_SUM_TRACKED_H

#include "runtime/data/object.h"
#include "runtime/host/clock.h"
#include "runtime/sums/sum_merge.h"

/* Reads the existing blocks.  Called before the first thread is added.  Returns 0 or -ENOMEM. */
int ompp_tracked_collect_start(struct ompp_merge *merge);

/* Adds what one row of a tally counted for a cover. */
void ompp_merge_tracked_row(struct ompp_merge *merge, const struct ompp_cover *cover, const uint64_t *words);

/* Adds the call paths and rows at which a thread allocated them, as ompp_merge_allocations() does, and its samples of
 * them. */
void ompp_merge_tracked(struct ompp_merge *merge, const struct ompp_thread *t, const uint32_t *path,
                        const uint32_t *row, uint32_t n_nodes);

/* Fills in the profile's instances, when its allocations are known.  Returns 0 or -ENOMEM. */
int ompp_collect_tracked(struct ompp_merge *merge, struct ompp_profile *profile, const uint32_t *region_index,
                         struct ompp_clock_rate rate);

#endif
