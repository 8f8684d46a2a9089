/*
 * Diff, values: the table of what each run has of each measure of each subject, from which diff.c makes its rows.
 */
#ifndef OMPP_DIFF_VALUES_H
#define OMPP_DIFF_VALUES_H

#include <stddef.h>
#include <stdint.h>

#include "reports/compare/diff.h"
#include "reports/compare/diff_instances.h"

/* How long a thread waits while another one has its time slice of the Linux scheduler. */
enum { OMPP_DIFF_SLICE_NS = 3000000 };

struct ompp_diff_measure {
	const char *name, *unit;
	enum ompp_diff_group group;
	enum ompp_certainty certainty;
	int is_latency;
};

enum ompp_compared_kind {
	OMPP_COMPARED_PROGRAM,
	OMPP_COMPARED_REGION,
	OMPP_COMPARED_TASKS,
	OMPP_COMPARED_OBJECT,
	OMPP_COMPARED_INSTANCE
};

/* A subject, and what of the runs it is. */
struct ompp_compared {
	struct ompp_diff_subject told;
	enum ompp_compared_kind kind;
	uint32_t index; /* among the regions, the objects or the instances of all runs */
};

/* All values, and what they are by. */
struct ompp_diff_values {
	struct ompp_arena *arena;
	const struct ompp_profile *profiles;
	struct ompp_analysis *analyses;
	size_t n_a, n_runs;
	/* the regions of all runs: each run adds those that no run before it has */
	struct ompp_region *regions;
	const char **names_a, **names_b;
	const struct ompp_region **of_a, **of_b;
	size_t n_regions;
	uint32_t **region_of; /* by run and region: which of them it is */
	uint32_t **object_of; /* the same for objects */
	const char **objects, **objects_a,
		**objects_b; /* names in the last run, and on each side; NULL if it does not have the object */
	char *is_wanted;     /* by object */
	struct ompp_diff_instances instances;
	size_t n_objects, n_counters, n_measures;
	const struct ompp_metric **counters;
	struct ompp_compared *subjects; /* the program; each region and its tasks; each object; each instance */
	size_t n_subjects;
	double *values;    /* [(subject * n_measures + measure) * n_runs + run]; NaN when missing */
	double *variances; /* due to the samples of that run alone; NaN if not sampled */
	double *at_most;   /* bounds of what is missing; NaN where there are none */
	double *disturbed; /* by run: of its wall time, the share in which threads waited for a processor */
};

/* Takes the values of n_a profiles and of those behind them, n_runs in all.  Returns 0 or -ENOMEM. */
int ompp_diff_values_take(struct ompp_diff_values *values, const struct ompp_profile *profiles, size_t n_a,
                          size_t n_runs, const struct ompp_diff_options *options, struct ompp_arena *arena);

/* Returns the subject that a region of all runs is, or that its tasks are. */
size_t ompp_diff_region_subject(uint32_t region, int is_tasks);

/* Returns what a measure is; those behind the fixed ones are counters. */
struct ompp_diff_measure ompp_diff_measure(const struct ompp_diff_values *values, size_t measure);

/* Return where the value of a run is, the variance of it, and the bound of a missing one. */
double *ompp_diff_value(const struct ompp_diff_values *values, size_t subject, size_t measure, size_t run);
double *ompp_diff_variance(const struct ompp_diff_values *values, size_t subject, size_t measure, size_t run);
double *ompp_diff_at_most(const struct ompp_diff_values *values, size_t subject, size_t measure, size_t run);

/* Returns how long each run executed a region, or was itself. */
const double *ompp_diff_times(const struct ompp_diff_values *values, size_t subject);

#endif
