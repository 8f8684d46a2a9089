/*
 * Region time: how long a region took in all, and for how much of that its threads waited.
 */
#ifndef OMPP_BOUNDS_REGION_TIME_H
#define OMPP_BOUNDS_REGION_TIME_H

#include "reports/analysis/analysis.h"

struct ompp_region_time {
	int64_t wall_ns;    /* wall-clock time; a recursive region's outermost visits alone */
	int64_t body_ns;    /* the same of its bodies, without the waiting at its end */
	int64_t overhead;   /* share of its threads' time that is overhead and no work, 10^-9 */
	uint64_t n_exec;    /* executions, of all threads */
	uint32_t n_threads; /* most threads that are at work in it at a time */
};

/* Is the node not below another node of its region and kind? */
int ompp_region_is_outer(const struct ompp_analysis *a, uint32_t node);

/* Returns the node that follows within the subtree of top, where parents come before children; OMPP_NONE at its end. */
uint32_t ompp_region_next(const struct ompp_analysis *a, uint32_t top, uint32_t node);

/* Returns for which share of a run, 10^-9, its threads had no processor, as others or a hypervisor took it: at least,
 * and 0 where nobody knows. */
int64_t ompp_region_delayed(const struct ompp_profile *p);

void ompp_region_time(const struct ompp_analysis *a, uint32_t region, struct ompp_region_time *time);

#endif
