/*
 * Probe ranges: maps latencies to levels, from measured loads of each level.
 */
#ifndef OMPP_SOURCES_PROBE_RANGES_H
#define OMPP_SOURCES_PROBE_RANGES_H

#include "runtime/sources/probe.h"

/* The latencies of one level: one in ten is below `low`, three in ten are above `high`. */
struct ompp_probe_measured {
	uint32_t low, middle, high;
	uint8_t level; /* 0 to 2: L1 to L3; 3: memory */
};

/* Computes the ranges of the n levels, from near to far, and the longest latency of a load: levels whose latencies
 * overlap share a range, as do all levels between one level and a farther one that is as fast. */
void ompp_probe_find_ranges(const struct ompp_probe_measured *measured, int n, struct ompp_probe_levels *levels);

#endif
