/*
 * Access, tracked: what all threads have counted of tracked blocks (data/tracked.h).
 */
#ifndef OMPP_CORE_ACCESS_TRACKED_H
#define OMPP_CORE_ACCESS_TRACKED_H

/* Reads OMPP_INSTANCES.  Called once, before the first block, when it is known whether the processor samples.  COLD.
 * is_counted: 1 when accesses are counted in rows alone, and in nothing else that goes by cover */
void ompp_access_tracked_start(int is_counted);

#endif
