/*
 * Pages variables: which variables that are too small for objects of their own lie in a page of a trace.
 */
#ifndef OMPP_PROGRAM_PAGES_VARIABLES_H
#define OMPP_PROGRAM_PAGES_VARIABLES_H

#include "reports/pages/pages.h"

struct ompp_pages_variables {
	const struct ompp_flow_variable **all; /* by address */
	size_t n;
};

/* Finds them; variables->all has to be freed.  Returns 0, or -1 without memory. */
int ompp_pages_variables(const struct ompp_flow_look *look, struct ompp_pages_variables *variables);

/* Returns the names of those with bytes in the used parts of a page, "cnt sum"; in text only the first ones. */
const char *ompp_pages_variables_in(struct ompp_flow_look *look, const struct ompp_pages_variables *variables,
                                    const struct ompp_pages_page *page);

#endif
