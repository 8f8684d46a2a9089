/*
 * Data blocks: the blocks of memory that the program allocated, in the section on data.
 */
#ifndef OMPP_TABLES_DATA_BLOCKS_H
#define OMPP_TABLES_DATA_BLOCKS_H

#include "reports/tables/data_section.h"

/* Puts the table of the places that allocated, if there are some.  The section's usage needs analysis and profile
 * alone.  Returns 0 or -errno. */
int ompp_data_blocks(const struct ompp_data_section *d, struct ompp_sheet *sheet);

#endif
