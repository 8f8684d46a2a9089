/*
 * Access, tracked: the counts of all threads for tracked blocks (data/tracked.h).
 */
#ifndef OMPP_ACCESS_ACCESS_TRACKED_H
#define OMPP_ACCESS_ACCESS_TRACKED_H

/* Reads OMPP_INSTANCES.  Called once, before the first block, when it is known whether the processor samples.  COLD.
 * has_fronts: 1 when the cache model may have fronts, which support only the first rows (data/front.h): then tracked
 * blocks use at most half of these */
void ompp_access_tracked_start(int has_fronts);

#endif
