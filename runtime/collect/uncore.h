/*
 * Uncore: counters of the whole machine by call path of parallel regions and NUMA node.
 */
#ifndef OMPP_COLLECT_UNCORE_H
#define OMPP_COLLECT_UNCORE_H

#include "runtime/collect/merge.h"

/* Add a thread's node at its place; merge->failed is set when there is no memory. */
void ompp_merge_uncore(struct ompp_merge *merge, const struct ompp_callnode *node, uint32_t place);

/* The sums as the profile's node_values.  0 or -ENOMEM. */
int ompp_collect_uncore(struct ompp_merge *merge, struct ompp_profile *profile);

#endif
