/*
 * Data blocks: the blocks of memory that the program allocated, in the section on data.
 */
#ifndef OMPP_TABLES_DATA_BLOCKS_H
#define OMPP_TABLES_DATA_BLOCKS_H

#include "reports/tables/data_section.h"

/* Puts the table of the call sites that allocated, if there are any.  Of the section's usage only analysis and profile
 * are needed.  Returns 0 or -errno. */
int ompp_data_blocks(const struct ompp_data_section *d, struct ompp_sheet *sheet);

#endif
