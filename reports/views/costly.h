/*
 * Costly: between what the time of a region lies where the profiler's own cost is of its size.
 *
 * The cost that was taken out is the typical one; what it was depends on what ran around the events (core/cost.h), so
 * that of the smallest constructs little more than an interval is known.
 */
#ifndef OMPP_COSTLY_H
#define OMPP_COSTLY_H

#include "reports/views/view.h"

/* A table of the regions that are marked [costly]; none where there are no such regions.  0, or -errno. */
int ompp_costly(const struct ompp_analysis *analysis, struct ompp_sheet *sheet);

/* Returns how much time of all threads may have become longer because events kept other threads waiting: what they waited
 * and managed in costly regions, and where they waited and ran costly tasks.  That is at most the CPU time of the run
 * without the own cost.  0 where one thread was alone. */
int64_t ompp_costly_waiting_ns(const struct ompp_analysis *analysis);

#endif
