/*
 * Metric: a measured quantity other than time, e.g. a hardware counter, and its certainty.
 */
#ifndef OMPP_COUNTERS_METRIC_H
#define OMPP_COUNTERS_METRIC_H

#include <string.h>

/* The certainty of a metric, highest first.  Reports never print one kind as another.  NOT_COUNTED: requested, but all
 * its values are missing; the detail says why. */
enum ompp_certainty { OMPP_EXACT, OMPP_SAMPLED, OMPP_SCALED, OMPP_MODELLED, OMPP_NOT_COUNTED };

/* The begin of a metric's detail when it is not counted because the machine has no hardware counters. */
#define OMPP_NO_PMU "no PMU"

static inline int ompp_metric_lacks_pmu(const char *detail)
{
	return !strncmp(detail, OMPP_NO_PMU, sizeof(OMPP_NO_PMU) - 1);
}

struct ompp_metric {
	const char *name; /* as the user gave it */
	const char *unit; /* "" for a plain count */
	enum ompp_certainty certainty;
	const char *detail; /* sampling error, share of time counted, why not counted, or the like; "" when exact */
};

/* A number that is computed from metrics and times when a report is made: an OMPP_EVALn, or part of a ready group. */
struct ompp_eval {
	const char *name;       /* the column's title: as the user gave it, else the expression */
	const char *expression; /* see runtime/counters/expression.h */
	const char *unit;       /* "" for a plain number */
};

#endif
