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

#endif
