/*
 * Visits: how long the visits of a region took, over all its call paths and threads.
 *
 * A quantile is known as an interval: the bounds of the bucket that contains it.  The first visits of each thread are
 * in no quantile.
 */
#ifndef OMPP_ANALYSIS_VISITS_H
#define OMPP_ANALYSIS_VISITS_H

#include "reports/analysis/analysis.h"
#include "reports/analysis/trend.h"

struct ompp_between {
	int64_t least_ns, most_ns;
};

struct ompp_visits {
	uint64_t n, n_first;             /* visits that were timed without the first ones; and these */
	int64_t first_ns;                /* the longest of the first ones */
	int64_t least_ns, most_ns;       /* of the others; 0 without any */
	uint64_t most_at;                /* which visit of its thread was the longest */
	uint32_t most_row;               /* and which thread that was; OMPP_NONE without any */
	struct ompp_between median, p95; /* 0 without any */
	struct ompp_trend trend;         /* of all cells together, without what is more and whether that is much */
};

/* Sums up the visits of a region.  Its n and n_first are 0 when no duration is known.  Returns 0 or -ENOMEM.
 * kind: 1 for the executions of its tasks */
int ompp_visits_of(const struct ompp_analysis *a, uint32_t region, int kind, struct ompp_visits *durations);

/* Returns for how long the thread of a cell that has executions of tasks had no processor in them; 0 where nobody
 * knows. */
int64_t ompp_visits_off_ns(const struct ompp_analysis *a, uint32_t cell);

enum {
	OMPP_LEAST_VISITS = 10, /* beside the first ones: of fewer there is no usual duration */
	OMPP_LONG_TIMES = 8     /* a long visit takes so many times the median or more */
};

/* What long visits take above the median, at least. */
struct ompp_long {
	uint64_t n;      /* how many visits */
	int64_t ns;      /* of all threads */
	int64_t most_ns; /* of the thread that has most of it: about wall-clock time */
};

/* Adds up the first visits of a region that are long, over all its call paths and threads, and the later ones, but for
 * those of less than least_ns.  Recursive visits are part of outer ones, and left
 * out; executions of tasks are not, as no duration has the tasks that ran inside.
 *
 *   kind: 1 for the executions of its tasks
 *
 *   visits: the same ones
 *
 *   first, later: may be the same sum */
void ompp_visits_long(const struct ompp_analysis *a, uint32_t region, int kind, const struct ompp_visits *visits,
                      int64_t least_ns, struct ompp_long *first, struct ompp_long *later);

#endif
