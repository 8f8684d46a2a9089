/*
 * History: the times of a program and of its regions over its versions.
 *
 * Runs are of one version if their profiles have the same stamp and commit (kinst --stamp).  A run without a stamp is a
 * version of its own, named by its start.  Versions are in the order of their commits if all of them have one, and else
 * of their first runs.
 */
#ifndef OMPP_HISTORY_H
#define OMPP_HISTORY_H

#include "reports/compare/change_point.h"
#include "reports/profile/profile.h"

struct ompp_version {
	const char *name, *commit; /* commit: "" where it is not known */
	int64_t commit_unix_s;     /* OMPP_MISSING where it is not known */
	int64_t start_unix_ns;     /* of its first run */
	size_t first, n;           /* its runs among all */
};

/* The time of the program, or of a region in all threads together. */
struct ompp_history_series {
	const char *name;  /* "LOOP a.c (12-16)", of the newest version that has it; of the program "wall time" */
	const double *ns;  /* by run; NaN where it was not executed */
	double *median_ns; /* by version */
	double share;      /* the largest share of a run that it took, of all threads' time */
	int is_tested;     /* 0 when that is so small that a change would not matter */
	struct ompp_change_points points;
};

struct ompp_history {
	struct ompp_version *versions;
	size_t n_versions, n_runs, n_small; /* n_small: regions that were not tested */
	struct ompp_history_series *series; /* the program; then regions: those that changed, those that drift, the
	                                       others; the longest first */
	size_t n_series;
	double level; /* of each series: 5 % divided by their number, so that any false alarm in all of them has that
	                 chance */
};

/* Looks at n profiles of one program, which it sorts by version.  least: the least change that is told, 0.02 for 2 %.
 * Returns 0 or -ENOMEM. */
int ompp_history(struct ompp_profile *profiles, size_t n, double least, struct ompp_arena *arena,
                 struct ompp_history *history);

/* Write it as JSON, and as a page.  Return 0, -ENOMEM, or what write(2) said. */
int ompp_history_json(const struct ompp_history *history, const char *app, size_t n_left_out, int fd,
                      struct ompp_arena *scratch);
int ompp_history_page(const struct ompp_history *history, const char *app, size_t n_left_out, int fd,
                      struct ompp_arena *scratch);

/* Returns what the course of a series is called: "few", "steady", "changed", "drift". */
const char *ompp_history_course(const struct ompp_history_series *series);

#endif
