/*
 * Line: the numbers of a region, or of a call path, that one line of its table shows.
 */
#ifndef OMPP_TABLES_LINE_H
#define OMPP_TABLES_LINE_H

#include "reports/analysis/analysis.h"

/* The numbers of one row, or of SUM: inclusive ones, and exclusive ones where they are shown. */
struct ompp_line {
	uint32_t row;      /* OMPP_NONE for SUM */
	int only_data;     /* 1 when the row accessed data here, but has no times of its own */
	const char *label; /* the row's label, or "SUM" */
	uint64_t n_rows;   /* how many rows were added up */
	struct ompp_cell cell;
	int64_t exclusive_ns;       /* of the body, or of exec_ns without a body */
	int64_t exclusive_error_ns; /* its standard error due to visits that were not timed */
	int64_t *values;            /* by metric */
	int64_t *exclusive_values;
};

/* Adds a line to a sum.  A value that is missing in one of them is missing in the sum. */
void ompp_line_add(const struct ompp_profile *profile, struct ompp_line *sum, const struct ompp_line *line);

/* Makes room for the values of a line, and returns 0 or -ENOMEM; and sets all its numbers to 0. */
int ompp_line_init(const struct ompp_profile *profile, struct ompp_line *line, struct ompp_arena *arena);
void ompp_line_clear(const struct ompp_profile *profile, struct ompp_line *line);

#endif
