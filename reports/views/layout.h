/*
 * Layout: which columns the table of a construct has, the same in the flat profile and in the call paths.
 */
#ifndef OMPP_LAYOUT_H
#define OMPP_LAYOUT_H

#include "reports/views/analysis.h"
#include "reports/views/table.h"
#include "reports/views/traffic.h"
#include "reports/views/view.h"

/* Inclusive numbers of one row; exclusive ones where asked for. */
struct ompp_line {
	uint32_t          row;                  /* OMPP_NONE: of "SUM" */
	int               only_data;            /* 1: the row accessed data here, but has no times of its own */
	const char       *label;                /* of the row, or "SUM" */
	uint64_t          n_rows;               /* summed */
	struct ompp_cell  cell;
	int64_t           exclusive_ns;         /* of the body, or of exec where there is no body */
	int64_t          *values;               /* by metric */
	int64_t          *exclusive_values;
};

/* 1 when counters cover the construct. */
int ompp_layout_has_counters(enum ompp_construct construct);

/* The time whose exclusive part is shown: of the body, or of the whole where there is no body; NULL: none. */
const int64_t *ompp_layout_body_ns(enum ompp_construct construct, const struct ompp_cell *cell);

/* A column of numbers, and a title in the arena: "bodyT" and "/I". */
void ompp_layout_column(struct ompp_table *table, const char *title);
const char *ompp_layout_title(const char *name, const char *suffix, struct ompp_arena *arena);

/* Times, counters, what is computed from them, and accesses to data objects.  block: NULL: there are no accesses. */
void ompp_layout_columns(const struct ompp_analysis *a, enum ompp_construct construct, int with_exclusive,
                         const struct ompp_block *block, struct ompp_table *table);
void ompp_layout_row(const struct ompp_analysis *a, enum ompp_construct construct, int with_exclusive,
                     const struct ompp_block *block, const struct ompp_line *line, struct ompp_table *table);

/* Does a row that has no times have something to show? */
int ompp_layout_has_data(const struct ompp_analysis *a, const struct ompp_block *block, uint32_t row,
                         enum ompp_where prints);

/* After the table of a block, in text: one line for each object, where there are too many for columns, or modelled misses;
 * these are of all memory, so (other) and (stack) have lines, too. */
int ompp_layout_objects(const struct ompp_analysis *a, const struct ompp_region *region, int with_exclusive,
                        const struct ompp_block *block, struct ompp_sheet *sheet);

/* sum += line; a value missing in one is missing in the sum. */
void ompp_line_add(const struct ompp_profile *profile, struct ompp_line *sum, const struct ompp_line *line);

/* Room for the values of a line: 0 or -ENOMEM; and all numbers to 0. */
int ompp_line_init(const struct ompp_profile *profile, struct ompp_line *line, struct ompp_arena *arena);
void ompp_line_clear(const struct ompp_profile *profile, struct ompp_line *line);

#endif
