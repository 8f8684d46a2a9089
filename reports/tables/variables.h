/*
 * Variables: which ones the rest of a file's data is ("prog: bss"), as far as samples tell: those that are too small
 * for objects of their own, and which of them lie in what was used of pages.  Counts of accesses have no addresses, so
 * what tables have of these is of all of them.
 */
#ifndef OMPP_TABLES_VARIABLES_H
#define OMPP_TABLES_VARIABLES_H

#include "reports/tables/data_section.h"

/* Puts a table of them.  Returns 0 or -errno. */
int ompp_variables(const struct ompp_data_section *d, struct ompp_sheet *sheet);

/* Puts, below tables of the section that name such objects, a sentence in text for each of them.  Returns 0 or -errno.
 */
int ompp_variables_remark(const struct ompp_data_section *d, struct ompp_sheet *sheet);

#endif
