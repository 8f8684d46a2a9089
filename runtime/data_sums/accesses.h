/*
 * Accesses: computes the profile's data on objects from the tallies in the threads' trees.
 */
#ifndef OMPP_DATA_SUMS_ACCESSES_H
#define OMPP_DATA_SUMS_ACCESSES_H

#include "runtime/sums/sum_merge.h"

/* merge->accesses holds these two sums under special object numbers.  Each access counts once in a sum, however many
 * names cover it. */
#define OMPP_NAMED_DATA (UINT32_MAX - 2)
#define OMPP_ALL_DATA   (UINT32_MAX - 1)

/* Prepares the merge for accesses.  It is called before the first thread is added.  Returns 0 or -ENOMEM. */
int ompp_accesses_start(struct ompp_merge *merge);

/* Adds what one thread counted at one of its nodes to a call path and a row of the merged tree. */
void ompp_merge_accesses(struct ompp_merge *merge, const struct ompp_callnode *node, uint32_t path, uint32_t row);

/* Fills in the profile's objects, accesses, shared lines and cache levels.  The rows must be final; region_index gives
 * the profile's index of each region id, as in collect.c.  Returns 0 or -ENOMEM. */
int ompp_collect_accesses(struct ompp_merge *merge, struct ompp_profile *profile, const uint32_t *region_index);

#endif
