/*
 * Access, tracked: what all threads have counted of tracked blocks (data/tracked.h).
 */
#ifndef OMPP_ACCESS_ACCESS_TRACKED_H
#define OMPP_ACCESS_ACCESS_TRACKED_H

/* Reads OMPP_INSTANCES.  Called once, before the first block, when it is known whether the processor samples.  COLD.
 * has_fronts: 1 when the cache model may have fronts, which are for the first rows alone (data/front.h): then half of
 * these are left to others */
void ompp_access_tracked_start(int has_fronts);

#endif
