/*
 * Data sharing: the cache lines that several threads write, and the patterns of accesses, in the section on data.
 */
#ifndef OMPP_TABLES_DATA_SHARING_H
#define OMPP_TABLES_DATA_SHARING_H

#include "reports/tables/data_section.h"

/* Put the table of cache lines, and that of the patterns if there are some.  Return 0 or -errno. */
int ompp_data_lines(const struct ompp_data_section *d, struct ompp_sheet *sheet);
int ompp_data_patterns(const struct ompp_data_section *d, struct ompp_sheet *sheet);

#endif
