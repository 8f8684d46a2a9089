/*
 * Region sums: the flat profile: the sums of all threads in each region, and those of each thread in one region.
 *
 * The sums are over all call paths of a region that is shown.  Recursion counts once: a visit inside another of the
 * same region adds to the counts, but not to the times.
 */
#ifndef OMPP_LINES_REGION_SUMS_H
#define OMPP_LINES_REGION_SUMS_H

#include "reports/analysis/analysis.h"

/* A region, or the tasks of a region. */
struct ompp_region_sum {
	uint32_t region;
	int kind; /* 1 for the executions of its tasks */
	uint32_t n_rows, n_paths;
	struct ompp_cell cell;
	int64_t most_body_ns, most_exec_ns; /* of one row */
};

struct ompp_region_sums {
	const struct ompp_analysis *analysis;
	struct ompp_region_sum *list; /* in the order of the analysis */
	size_t n;
	int64_t *metrics; /* [sum * n_metrics + metric]: of all rows */
	/* of the region that ompp_region_sums_rows() was called for last, by row */
	struct ompp_cell *cells;
	int64_t *values; /* [row * n_metrics + metric] */
	uint8_t *used;   /* 1 where the row has a cell; what others have is not valid */
};

/* Adds up all regions that are shown.  Returns 0 or -ENOMEM. */
int ompp_region_sums_init(struct ompp_region_sums *s, const struct ompp_analysis *a);

/* Fills in what each row did in one of them. */
void ompp_region_sums_rows(struct ompp_region_sums *s, const struct ompp_region_sum *sum);

#endif
