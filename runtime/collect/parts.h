/*
 * Parts: does each thread access a part of its own of an object, as the first and the last byte of its accesses show?
 *
 * What one thread does alone outside of parallel regions, such as filling an array, is left out.  Parts that interleave,
 * as of schedule(static, 1), overlap by their first and last bytes: nothing tells them from shared ones.
 */
#ifndef OMPP_COLLECT_PARTS_H
#define OMPP_COLLECT_PARTS_H

#include "runtime/collect/merge.h"

/* Where the loads [0] and the stores [1] of an access record were: [lo, hi), whole cache lines; hi 0: there were none. */
struct ompp_merge_extent { uint64_t lo[2], hi[2]; };

/* Add what a row of a tally says. */
void ompp_parts_add(struct ompp_merge_extent *extent, const uint64_t *words);

/* Fill `parts` of the profile's objects from merge->accesses, whose rows are final, and merge->extents.  0 or -ENOMEM. */
int ompp_collect_parts(struct ompp_merge *merge, const struct ompp_profile *profile, struct ompp_object *objects);

#endif
