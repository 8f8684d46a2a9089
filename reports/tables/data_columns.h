/*
 * Data columns: what the threads of a construct did with data objects, beside their times or in a table below.
 */
#ifndef OMPP_TABLES_DATA_COLUMNS_H
#define OMPP_TABLES_DATA_COLUMNS_H

#include "reports/analysis/traffic.h"
#include "reports/tables/view.h"

/* Add the columns of a block's objects, and the values of one of its rows; OMPP_NONE means the sums. */
void ompp_data_columns(const struct ompp_analysis *a, int with_exclusive, const struct ompp_block *block,
                       struct ompp_table *table);
void ompp_data_values(const struct ompp_analysis *a, int with_exclusive, const struct ompp_block *block, uint32_t row,
                      struct ompp_table *table);

/* Does a row without times have accesses that are shown? */
int ompp_data_has_row(const struct ompp_analysis *a, const struct ompp_block *block, uint32_t row,
                      enum ompp_where prints);

/* Puts, in text, a table with a line per object below the table of a block, if there are too many objects for columns
 * or if misses are modelled.  (other) and (stack) then have lines, too, as misses are modelled for all memory.  Returns
 * 0 or -errno. */
int ompp_data_objects(const struct ompp_analysis *a, const struct ompp_region *region, int with_exclusive,
                      const struct ompp_block *block, struct ompp_sheet *sheet);

#endif
