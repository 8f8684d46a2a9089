/*
 * Sum, meetings: the calls of MPI that were kept because ranks wait for each other there (events/meetings.h).
 */
#ifndef OMPP_COLLECT_SUM_MEETINGS_H
#define OMPP_COLLECT_SUM_MEETINGS_H

#include "reports/profile/profile.h"
#include "runtime/host/clock.h"

/* Fills in the profile's meetings, and which clock it read; none where the clock was stopped.  The index maps ids of
 * regions to those of the profile.  Returns 0 or -ENOMEM. */
int ompp_collect_meetings(struct ompp_profile *profile, struct ompp_arena *arena, const uint32_t *index, uint32_t n_ids,
                          struct ompp_clock_rate rate);

#endif
