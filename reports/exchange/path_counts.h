/*
 * Path counts: what formats without missing values need to know of counters: of which all values are there, and what a
 * call path has without those below it.
 */
#ifndef OMPP_PATH_COUNTS_H
#define OMPP_PATH_COUNTS_H

#include "reports/analysis/analysis.h"

/* Do counters cover this path?  Those of a construct that they do not cover (ATOMIC) are part of the one around it. */
int ompp_path_counts_cover(const struct ompp_profile *profile, uint32_t node);

/* Is the metric known for all constructs that counters cover? */
int ompp_path_counts_known(const struct ompp_profile *profile, size_t metric);

/* Returns why a metric that is not known is left out, "it was not counted". */
const char *ompp_path_counts_why(const struct ompp_profile *profile, size_t metric);

/* Returns by cell what covered paths have of a metric that is known everywhere, without the covered paths below; 0
 * where scaled counts of these exceed it.  NULL without memory. */
int64_t *ompp_path_counts_own(const struct ompp_analysis *a, size_t metric);

#endif
