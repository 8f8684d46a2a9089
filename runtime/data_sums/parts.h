/*
 * Parts: finds whether each thread accesses its own part of an object, judged by the first and the last byte of its
 * accesses.
 *
 * Accesses by one thread outside of parallel regions, such as filling an array, are ignored.  Parts that interleave, as
 * with schedule(static, 1), overlap by their first and last bytes, so they look like shared ones.
 */
#ifndef OMPP_DATA_SUMS_PARTS_H
#define OMPP_DATA_SUMS_PARTS_H

#include "runtime/sums/sum_merge.h"

/* The extents of the loads [0] and the stores [1] of an access record: [lo, hi), in whole cache lines.  hi is 0 when
 * there were none. */
struct ompp_merge_extent {
	uint64_t lo[2], hi[2];
};

/* Adds the extents of a row of a tally. */
void ompp_parts_add(struct ompp_merge_extent *extent, const uint64_t *words);

/* Fills in the member parts of the profile's objects from merge->extents and merge->accesses, whose rows must be
 * final.  Returns 0 or -ENOMEM. */
int ompp_collect_parts(struct ompp_merge *merge, const struct ompp_profile *profile, struct ompp_object *objects);

#endif
