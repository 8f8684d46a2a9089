/*
 * Sum, reuse: adds up over threads the reuses of each object in each region, and those of all data.
 */
#ifndef OMPP_DATA_SUMS_SUM_REUSE_H
#define OMPP_DATA_SUMS_SUM_REUSE_H

#include "runtime/sums/sum_merge.h"

/* Starts a row of a tally, whose accesses are those of a region: adds it to the region's data as a whole. */
void ompp_sum_reuse_row(struct ompp_merge *merge, uint32_t region, const uint64_t *words);

/* Adds it to an object of its cover. */
void ompp_sum_reuse_object(struct ompp_merge *merge, uint32_t region, uint32_t object, const uint64_t *words);

/* Fills in the profile's distances, and the sizes of the machine's caches.  Returns 0 or -ENOMEM. */
int ompp_collect_reuse(struct ompp_merge *merge, struct ompp_profile *profile, const uint32_t *region_index);

#endif
