/*
 * Flat: the time and visits of each row in each region, summed over its call paths, as in the Flat Region Profile.  The
 * time of a recursive region counts once.
 */
#ifndef OMPP_FLAT_H
#define OMPP_FLAT_H

#include "reports/analysis/analysis.h"

struct ompp_flat_line {
	uint32_t region;       /* index */
	uint32_t construct;    /* the region's, or OMPP_TASKEXEC */
	struct ompp_cell cell; /* of its row; incl_ns and the own cost include recursive visits */
	int64_t *values;       /* by metric; each may be OMPP_MISSING */
};

struct ompp_flat {
	struct ompp_flat_line *lines; /* by region, then the region itself before its TASKEXEC, then row */
	size_t n;
};

/* Fills in the lines, in the analysis's arena.  Returns 0 or -ENOMEM. */
int ompp_flat(const struct ompp_analysis *a, struct ompp_flat *flat);

#endif
