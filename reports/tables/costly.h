/*
 * Costly: bounds of the time of regions that are as short as the profiler's own cost.
 *
 * The cost that was taken out is the typical one.  The true cost depends on what ran around the events (events/cost.h),
 * so for the smallest constructs little more than an interval is known.
 */
#ifndef OMPP_COSTLY_H
#define OMPP_COSTLY_H

#include "reports/tables/view.h"

/* Puts a table of the regions that are marked [costly], if there are some.  Returns 0 or -errno. */
int ompp_costly(const struct ompp_analysis *analysis, struct ompp_sheet *sheet);

/* Returns an upper bound of the time, of all threads, by which events kept other threads waiting: their waiting and
 * management in costly regions, and where they waited and ran costly tasks.  It is at most the run's CPU time less the
 * own cost, and 0 with a single thread. */
int64_t ompp_costly_waiting_ns(const struct ompp_analysis *analysis);

#endif
