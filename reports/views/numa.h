/*
 * Numa: counters of the whole machine during a parallel region, by NUMA node: a small table below the region's.
 */
#ifndef OMPP_NUMA_H
#define OMPP_NUMA_H

#include "reports/views/view.h"

/* A NUMA node; of several merged processes it is one for each (see struct ompp_node_value). */
struct ompp_place { uint32_t process, number; };

struct ompp_numa {
	struct ompp_metric *metrics;  size_t n_metrics; /* each name once, as sure as its least sure value */
	struct ompp_place  *places;   size_t n_places;  /* ascending */
	uint32_t           *metric_of, *place_of;       /* by node value of the profile */
	int64_t            *sums;                       /* of the table at hand: by metric and place */
	uint8_t            *have;                       /* 1: there is a sum */
};

/* *numa NULL: the profile has no such counters.  0 or -ENOMEM. */
int ompp_numa_init(const struct ompp_analysis *a, struct ompp_numa **numa);

/* Sum up for the table of a region, all its call paths together, or of one call path: 1; 0 where there is nothing. */
int ompp_numa_region(const struct ompp_analysis *a, uint32_t region);
int ompp_numa_node(const struct ompp_analysis *a, uint32_t node);

/* Columns, rows and heading of that table; words: behind the region's number in the heading. */
void ompp_numa_fill(const struct ompp_analysis *a, const struct ompp_region *region, const char *words,
                    struct ompp_table *table);

#endif
