/*
 * Path times: how much of the run's longest path each call path has by itself (OMPP_SPAN).
 *
 * With the time that no call path has (span_rest_ns) they add up to the span, but for rounding to nanoseconds.
 */
#ifndef OMPP_BOUNDS_PATH_TIMES_H
#define OMPP_BOUNDS_PATH_TIMES_H

#include "reports/analysis/analysis.h"

/* Is the longest path known?  Several processes together have none. */
int ompp_has_path_times(const struct ompp_profile *profile);

/* Returns the times of a profile that has them, in ns by node, in the analysis's arena; NULL without memory. */
int64_t *ompp_path_times(const struct ompp_analysis *a);

#endif
