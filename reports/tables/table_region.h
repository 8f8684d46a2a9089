/*
 * Region: the columns and marks with which all sections name a region.
 */
#ifndef OMPP_TABLES_TABLE_REGION_H
#define OMPP_TABLES_TABLE_REGION_H

#include "reports/analysis/analysis.h"
#include "reports/tables/table.h"
#include "runtime/base/text.h"

/* Adds " [costly]" where the profiler's own cost may be above a tenth of the region's time; " [costly, ~2 %]" when some
 * visits were not timed as well, so that its times are estimates with this standard error. */
void ompp_region_mark(struct ompp_text *text, const struct ompp_analysis *a, uint32_t region);

/* Adds that error, "~2 %": its share of the time, in per cent with one digit or two; "~?" when it is not known. */
void ompp_region_error(struct ompp_text *text, const struct ompp_cell *sum);

/* Add the columns that identify a region in records ("R00004", type, file, begin, end, name), and its values; or its
 * values as a record above the table. */
void ompp_region_columns(struct ompp_table *table);
void ompp_region_values(struct ompp_table *table, const struct ompp_region *region, enum ompp_construct construct);
void ompp_region_record(struct ompp_table *table, const struct ompp_region *region, enum ompp_construct construct);

#endif
