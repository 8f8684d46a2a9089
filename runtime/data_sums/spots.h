/*
 * Spots: computes where in an object, when, and from where threads access it, from the threads' spreads
 * (memory/spread.h) and the extents of objects (memory/block_extent.h).
 */
#ifndef OMPP_DATA_SUMS_SPOTS_H
#define OMPP_DATA_SUMS_SPOTS_H

#include "runtime/sums/sum_merge.h"

struct ompp_spread_spot;

/* Called before the first thread is added.  Returns 0 or -ENOMEM. */
int ompp_spots_start(struct ompp_merge *merge);

/* Adds a spot of a thread. */
void ompp_merge_spot(struct ompp_merge *merge, const struct ompp_spread_spot *spot, uint32_t path, uint32_t row);

/* Fills in the profile's spots and extents, when its rows, objects and uses are known.  Returns 0 or -ENOMEM. */
int ompp_collect_spots(struct ompp_merge *merge, struct ompp_profile *profile);

#endif
