/*
 * Pattern: finds what threads do with data objects and no single count shows: false sharing, walks by a stride, and
 * pages that another thread wrote first.
 */
#ifndef OMPP_SUMS_SUM_PATTERN_H
#define OMPP_SUMS_SUM_PATTERN_H

#include "runtime/sums/sum_merge.h"

/* How a thread walked through an object in one tally: what its rows say together, as blocks of an object may have rows
 * of their own (data/tracked.h).  All 0 but for the object before the first row. */
enum { OMPP_WALK_STEPS = 4 };
struct ompp_pattern_walk {
	uint32_t object;
	uint64_t n_misses, n_foreign, n_bytes;
	struct {
		int64_t bytes;
		uint64_t n;
	} steps[OMPP_WALK_STEPS]; /* the most frequent ones; of fewer rows than these all that a row has */
};

/* Adds a row of a tally, where the caches are modelled. */
void ompp_pattern_row(struct ompp_pattern_walk *walk, const uint64_t *words);

/* Adds what a walk says of its object.
 * region: an id, or 0 for outside of all regions */
void ompp_pattern_tally(struct ompp_merge *merge, const struct ompp_pattern_walk *walk, uint32_t region, uint32_t row);

/* Adds a line of the object that several rows wrote without a byte in common; this row is one of them.
 * is_new: 1 when this line was not added before */
void ompp_pattern_line(struct ompp_merge *merge, uint32_t region, uint32_t row, uint32_t object, uint64_t n_transfers,
                       uint64_t n_stores, int is_new);

/* Fills in the profile's patterns.  The rows must be final; region_index is as in collect.c.  Returns 0 or -ENOMEM. */
int ompp_collect_patterns(struct ompp_merge *merge, struct ompp_profile *profile, const uint32_t *region_index);

#endif
