/*
 * Layout: the columns that the table of a construct has.  They are the same in the flat profile and in the call paths.
 */
#ifndef OMPP_LAYOUT_H
#define OMPP_LAYOUT_H

#include "reports/analysis/traffic.h"
#include "reports/tables/line.h"
#include "reports/tables/table.h"

/* Do counters cover the construct? */
int ompp_layout_has_counters(enum ompp_construct construct);

/* Returns the time whose exclusive part is shown: that of the body or, without a body, of the whole; NULL when there is
 * none. */
const int64_t *ompp_layout_body_ns(enum ompp_construct construct, const struct ompp_cell *cell);

/* Which times are estimates because some visits were not timed (core/storm.h): those of the block itself, and those
 * directly below it, on which its exclusive times depend. */
enum { OMPP_ESTIMATED = 1, OMPP_ESTIMATED_BELOW = 2 };

/* Add the columns, and the values of a line: times, counters, numbers computed from them, and accesses to data objects.
 *
 *   estimated: a set of the flags above
 *
 *   block: NULL without accesses */
void ompp_layout_columns(const struct ompp_analysis *a, enum ompp_construct construct, int with_exclusive,
                         int estimated, const struct ompp_block *block, struct ompp_table *table);
void ompp_layout_row(const struct ompp_analysis *a, enum ompp_construct construct, int with_exclusive, int estimated,
                     const struct ompp_block *block, const struct ompp_line *line, struct ompp_table *table);

#endif
