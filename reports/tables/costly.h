/*
 * Costly: bounds of the time of regions that are as short as the profiler's own cost.
 *
 * The cost that was taken out is the typical one.  The true cost depends on what ran around the events (events/cost.h),
 * so little more than an interval is known of the smallest constructs.
 */
#ifndef OMPP_COSTLY_H
#define OMPP_COSTLY_H

#include "reports/tables/view.h"

/* Puts a table of the regions that are marked [costly], if there are some.  Returns 0 or -errno. */
int ompp_costly(const struct ompp_analysis *analysis, struct ompp_sheet *sheet);

/* Returns how much time of all threads may have become longer because events kept other threads waiting: what these
 * waited and managed in costly regions, and where they waited and ran costly tasks.  That is at most the CPU time of
 * the run without the own cost, and 0 where one thread was alone. */
int64_t ompp_costly_waiting_ns(const struct ompp_analysis *analysis);

#endif
