/*
 * Loop region: what the compiler said of the loops in a region (kinst --opt-info).
 */
#ifndef OMPP_BOUNDS_LOOP_REGION_H
#define OMPP_BOUNDS_LOOP_REGION_H

#include "reports/analysis/analysis.h"

/* Returns the innermost region that has a loop between its lines; OMPP_NONE without one. */
uint32_t ompp_loop_region(const struct ompp_profile *profile, const struct ompp_loop *loop);

/* Returns the time of a region's work, of all threads: its bodies, or all of it where it has none; OMPP_MISSING where
 * other regions lie between its lines, as that is not the loop's alone. */
int64_t ompp_loop_work_ns(const struct ompp_analysis *a, uint32_t region);

#endif
