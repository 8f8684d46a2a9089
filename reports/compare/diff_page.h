/*
 * Diff page: a comparison as JSON for programs, and as an HTML page for people.  The page has the same numbers in it.
 */
#ifndef OMPP_DIFF_PAGE_H
#define OMPP_DIFF_PAGE_H

#include "reports/compare/diff.h"

struct ompp_diff_runs {
	const struct ompp_diff *diff;
	const struct ompp_profile *profiles; /* the runs of A, then those of B */
	char **paths;
};

/* Write to fd.  Return 0, -ENOMEM, or what write(2) said.  env/ompp-diff-1.schema.json says what the JSON has. */
int ompp_diff_json(const struct ompp_diff_runs *runs, int fd, struct ompp_arena *scratch);
int ompp_diff_page(const struct ompp_diff_runs *runs, int fd, struct ompp_arena *scratch);

#endif
