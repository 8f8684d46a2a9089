/*
 * Sum, relayout: adds up over threads the misses that each object would have in each region with other layouts.
 */
#ifndef OMPP_DATA_SUMS_SUM_RELAYOUT_H
#define OMPP_DATA_SUMS_SUM_RELAYOUT_H

#include "runtime/sums/sum_merge.h"

/* Adds a row of a tally to an object of its cover.
 * object, shown: its index in the run, and in the profile */
void ompp_sum_relayout_object(struct ompp_merge *merge, uint32_t region, uint32_t object, uint32_t shown,
                              const uint64_t *words);

/* Fills in the profile's layouts.  Returns 0 or -ENOMEM. */
int ompp_collect_relayouts(struct ompp_merge *merge, struct ompp_profile *profile, const uint32_t *region_index);

#endif
