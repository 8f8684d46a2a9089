/*
 * Variables: which small variables the rest of a file's data ("prog: bss") consists of, as far as samples tell, and
 * which of them lie in the used parts of pages.  They are too small for objects of their own.  Counts of accesses have
 * no addresses, so in tables the counts are those of all these variables together.
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
