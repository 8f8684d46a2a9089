/*
 * Diff: what `ompp diff` prints.
 */
#ifndef OMPP_PROGRAM_SHOW_DIFF_H
#define OMPP_PROGRAM_SHOW_DIFF_H

#include "reports/compare/diff.h"
#include "reports/profile/profile.h"

/* What is printed, and where it comes from. */
struct ompp_diff_look {
	const struct ompp_diff *diff;
	const struct ompp_profile *profiles; /* the runs of A, then those of B */
	char **paths;
	const char *format; /* one of a table */
	size_t top;         /* rows of a group in text; 0 for all */
	struct ompp_arena *arena;
};

/* Prints all of it on stdout.  Returns the exit status. */
int ompp_diff_print(const struct ompp_diff_look *look);

#endif
