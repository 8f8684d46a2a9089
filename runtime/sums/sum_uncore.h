/*
 * Uncore: sums the counters of the whole machine by call path of parallel regions and by NUMA node.
 */
#ifndef OMPP_SUMS_SUM_UNCORE_H
#define OMPP_SUMS_SUM_UNCORE_H

#include "runtime/sums/sum_merge.h"

/* Adds a thread's node at its call path.  Sets merge->failed when there is no memory. */
void ompp_merge_uncore(struct ompp_merge *merge, const struct ompp_callnode *node, uint32_t path);

/* Fills in the profile's numa_values from the sums.  Returns 0 or -ENOMEM. */
int ompp_collect_uncore(struct ompp_merge *merge, struct ompp_profile *profile);

#endif
