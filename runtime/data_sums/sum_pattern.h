/*
 * Pattern: finds access patterns that no single count shows: false sharing, walks with a stride, and pages that another
 * thread wrote first.
 */
#ifndef OMPP_DATA_SUMS_SUM_PATTERN_H
#define OMPP_DATA_SUMS_SUM_PATTERN_H

#include "runtime/host/clock.h"
#include "runtime/sums/sum_merge.h"

/* How a thread walked through an object in one tally: the sum over its rows, as blocks of an object may have their own
 * rows (data/tracked.h).  All 0 except the object before the first row. */
enum { OMPP_WALK_STEPS = 4 };
struct ompp_pattern_walk {
	uint32_t object;
	uint64_t n_misses, n_foreign, n_near, n_bytes;
	struct {
		int64_t bytes;
		uint64_t n;
	} steps[OMPP_WALK_STEPS]; /* the most frequent steps; with fewer rows than this, those of all rows */
};

/* Adds a row of a tally; only with the cache model. */
void ompp_pattern_row(struct ompp_pattern_walk *walk, const uint64_t *words);

/* Adds a walk to the data of its object.
 * region: an id, or 0 for outside of all regions */
void ompp_pattern_tally(struct ompp_merge *merge, const struct ompp_pattern_walk *walk, uint32_t region, uint32_t row);

/* Adds a line of the object that several rows wrote without a common byte (false sharing); this row is one of them.
 * is_new: 1 when this line was not added before */
void ompp_pattern_line(struct ompp_merge *merge, uint32_t region, uint32_t row, uint32_t object, uint64_t n_transfers,
                       uint64_t n_stores, int is_new);

/* Adds a line of the object of which this row loaded no byte that another one wrote, but which it had to fetch after
 * their stores; the rest likewise. */
void ompp_pattern_readers(struct ompp_merge *merge, uint32_t region, uint32_t row, uint32_t object, uint64_t n_fetches,
                          uint64_t n_loads, int is_new);

/* Fills in the profile's patterns.  The rows must be final; region_index is as in collect.c.  Returns 0 or -ENOMEM. */
int ompp_collect_patterns(struct ompp_merge *merge, struct ompp_profile *profile, const uint32_t *region_index);

/* Fills in what transfers of lines took, as far as some were timed.  Returns 0 or -ENOMEM. */
int ompp_collect_transfers(struct ompp_merge *merge, struct ompp_profile *profile, struct ompp_clock_rate rate);

#endif
