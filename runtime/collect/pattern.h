/*
 * Pattern: what threads do with data objects that shows in no count alone: false sharing, walks by a stride, and pages that
 * another thread wrote first.
 */
#ifndef OMPP_COLLECT_PATTERN_H
#define OMPP_COLLECT_PATTERN_H

#include "runtime/collect/merge.h"

/* Add what one thread's row of a tally says of an object, with the cache model; region is an id, 0 outside of all. */
void ompp_pattern_tally(struct ompp_merge *merge, const uint64_t *words, uint32_t region, uint32_t row, uint32_t object);

/* Add a line of the object that this row wrote as one of several, with no byte in common.  is_new: it is a further line. */
void ompp_pattern_line(struct ompp_merge *merge, uint32_t region, uint32_t row, uint32_t object, uint64_t n_transfers,
                       uint64_t n_stores, int is_new);

/* Fill the profile's patterns; rows are final, region_index as in collect.c.  0 or -ENOMEM. */
int ompp_collect_patterns(struct ompp_merge *merge, struct ompp_profile *profile, const uint32_t *region_index);

#endif
