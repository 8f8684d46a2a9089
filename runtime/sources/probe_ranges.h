/*
 * Probe ranges: which latencies stand for which level, from what loads of each level took.
 */
#ifndef OMPP_SOURCES_PROBE_RANGES_H
#define OMPP_SOURCES_PROBE_RANGES_H

#include "runtime/sources/probe.h"

/* What is known of one level's latencies: one in ten is below `low`, three in ten are above `high`. */
struct ompp_probe_measured {
	uint32_t low, middle, high;
	uint8_t level; /* 0 to 2: L1 to L3; 3: memory */
};

/* Makes ranges of the n levels, from near to far, and finds the longest latency of a load: levels whose times overlap
 * share a range, and so do all between a level and a farther one that is as fast. */
void ompp_probe_find_ranges(const struct ompp_probe_measured *measured, int n, struct ompp_probe_levels *levels);

#endif
