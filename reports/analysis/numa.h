/*
 * Numa: sums of counters of the whole machine during a parallel region, by NUMA node.  They are made for one table of
 * the report at a time.
 */
#ifndef OMPP_NUMA_H
#define OMPP_NUMA_H

#include "reports/analysis/analysis.h"

/* A NUMA node.  In a merged profile each process has its own (see struct ompp_numa_value). */
struct ompp_numa_place {
	uint32_t process, number;
};

struct ompp_numa {
	struct ompp_metric *metrics;
	size_t n_metrics; /* each name once; as sure as its least sure value */
	struct ompp_numa_place *places;
	size_t n_places;                /* ascending */
	uint32_t *metric_of, *place_of; /* by number of the value in the profile */
	int64_t *sums;                  /* for this table, by metric and place */
	uint8_t *have;                  /* 1 when there is such a sum */
};

/* Makes *numa, which is NULL when the profile has no such counters.  Returns 0 or -ENOMEM. */
int ompp_numa_init(const struct ompp_analysis *a, struct ompp_numa **numa);

/* Sum up for the table of a region, over all its call paths, or of one call path.  Return 1 when there is something to
 * show. */
int ompp_numa_region(const struct ompp_analysis *a, uint32_t region);
int ompp_numa_node(const struct ompp_analysis *a, uint32_t node);

#endif
