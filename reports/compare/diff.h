/*
 * Diff: what changed between the runs of two versions, A and B, of one program.
 *
 * Subjects are the program, its regions and its data objects; measures are what is known of them.  A row is one measure
 * of one subject with its value in each run.  With two or more runs per side, times are tested by Welch's t-test,
 * corrected by Holm's method over all tested rows; with one run, sampled values are tested by their own errors.  No
 * variance is assumed to be below that of the runs' own errors: sampling, and for times what other programs may have
 * taken.  Counts that are the same in each run of a side need no test.
 *
 * Instances are subjects if they are asked for and can be matched (diff_instances.h).  An instance that stands out in
 * no run of a side has an upper bound there, which may show that it changed, although not by how much.
 */
#ifndef OMPP_DIFF_H
#define OMPP_DIFF_H

#include "reports/analysis/analysis.h"
#include "reports/compare/statistic.h"

enum ompp_diff_group {
	OMPP_DIFF_PROGRAM, /* times of the whole program */
	OMPP_DIFF_TIMES,   /* of regions */
	OMPP_DIFF_CLASSES, /* of overhead in parallel regions */
	OMPP_DIFF_COUNTS,  /* executions, and bytes that clauses map */
	OMPP_DIFF_COUNTERS,
	OMPP_DIFF_DATA,      /* accesses to objects, and their misses */
	OMPP_DIFF_INSTANCES, /* the same of blocks of an object */
	OMPP_DIFF_N_GROUPS
};

enum { OMPP_DIFF_NOTES = 2 };

enum ompp_diff_verdict {
	OMPP_DIFF_SAME,  /* each run has the same */
	OMPP_DIFF_EXACT, /* a count changed, and is equal in all runs of each side, or is beyond the other side's bound
	                  */
	OMPP_DIFF_CHANGED,   /* significantly */
	OMPP_DIFF_UNCHANGED, /* not significantly */
	OMPP_DIFF_UNKNOWN,   /* one run per side is not enough, or an instance does not stand out */
	OMPP_DIFF_SMALL      /* so short that it was not tested */
};

struct ompp_diff_subject {
	const char *name_a, *name_b;                   /* "LOOP a.c (12-16)"; NULL on the side that does not have it */
	const struct ompp_region *region_a, *region_b; /* NULL for the program and objects */
	int64_t ns_a, ns_b;                            /* mean time of a region */
};

struct ompp_diff_row {
	enum ompp_diff_group group;
	const struct ompp_diff_subject *subject;
	const char *measure, *unit;    /* "execT", "ns" */
	enum ompp_certainty certainty; /* of a time OMPP_EXACT, or OMPP_SAMPLED where visits were not timed */
	int is_time;
	const double *values; /* of the runs of A, then of B; NaN where missing */
	struct ompp_sample a, b;
	double at_most_a, at_most_b; /* upper bounds of an instance that stands out in no run of the side; else NaN */
	struct ompp_difference difference;
	double adjusted_p; /* NaN where nothing was tested */
	enum ompp_diff_verdict verdict;
};

/* An object whose instances cannot be matched, and why: a sentence without its first word's capital and a full stop. */
struct ompp_diff_unmatched {
	const char *name, *why;
};

/* A call path of any run, with its inclusive time in ns. */
struct ompp_diff_node {
	uint32_t parent;  /* OMPP_NONE for the program, which comes first; parents come before children */
	const char *name; /* "LOOP a.c (12-16)", on side B where that has it; of the program NULL */
	struct ompp_sample a, b;
	struct ompp_difference difference;
	int is_sure; /* 1 when it changed, by a test that is corrected for the number of paths */
};

struct ompp_diff_tree {
	struct ompp_diff_node *nodes;
	size_t n;
};

/* What is compared of data. */
struct ompp_diff_options {
	double level;
	const char *object; /* comma list of data objects; NULL for all */
	int instances;      /* 1: instances, too */
};

struct ompp_diff {
	size_t n_a, n_b;
	double level;
	struct ompp_diff_row *rows; /* by group; in each, certain changes first, and the largest first */
	size_t n_rows, n_tests[OMPP_DIFF_N_GROUPS];
	const struct ompp_diff_subject **only_a, **only_b; /* regions that the other side does not have */
	size_t n_only_a, n_only_b;
	struct ompp_diff_tree tree; /* of call paths */
	double others_a, others_b;  /* share of wall time that the runs of a side may have lost to other programs */
	const struct ompp_diff_unmatched *unmatched;
	size_t n_unmatched;
	const char *notes[OMPP_DIFF_NOTES]; /* why the runs are of limited use, sentences without a full stop */
	size_t n_notes;
};

/* Compares n_a profiles with the n_b ones behind them.  Returns 0 or -ENOMEM. */
int ompp_diff(const struct ompp_profile *profiles, size_t n_a, size_t n_b, const struct ompp_diff_options *options,
              struct ompp_arena *arena, struct ompp_diff *diff);

/* Returns the relative change; infinite from 0 to something, NaN when it is not known. */
double ompp_diff_relative(const struct ompp_diff_row *row);

/* The same; if only bounds are known, the least change that they prove. */
double ompp_diff_least_relative(const struct ompp_diff_row *row);

/* Return what a group, a verdict, and the certainty of a row are called. */
const char *ompp_diff_certainty_name(const struct ompp_diff_row *row);
const char *ompp_diff_group_name(enum ompp_diff_group group);
const char *ompp_diff_verdict_name(enum ompp_diff_verdict verdict);

#endif
