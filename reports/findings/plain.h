/*
 * Plain: the times of the same program without access hooks, from a second profile that was joined with this one
 * (bounds/roofline.h).
 */
#ifndef OMPP_FINDINGS_PLAIN_H
#define OMPP_FINDINGS_PLAIN_H

#include "reports/analysis/analysis.h"

/* Return how long a region takes in the plain run, without the waiting at its end, as wall-clock time, and how long the
 * run is; that is also the time of OMPP_NONE.  OMPP_MISSING where there is no such profile, or no such region in it. */
int64_t ompp_plain_region_ns(const struct ompp_analysis *a, uint32_t region);
int64_t ompp_plain_run_ns(const struct ompp_analysis *a);

#endif
