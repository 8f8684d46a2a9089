/*
 * Tasking: how long the threads of a parallel region created its tasks, executed them, and waited for them.
 *
 * All times are of all threads together, over all executions of the region, without the profiler's own cost and without
 * teams that are nested in it.  Each moment between the begin and the end of a thread's part counts once:
 *
 *   make    in TASK and TASKLOOP constructs, without the tasks that were run there.  A TASKLOOP also waits for its
 * tasks run     in tasks, without what they made, waited or ran wait    in TASKWAIT, in barriers and at the ends of
 * constructs, without the tasks that were run there.  Taking a task from the queue and starting it is a part of it own
 * the rest: what the members of the team do themselves.  TASKGROUP belongs to it, as it does not tell its waiting from
 * its body
 */
#ifndef OMPP_FINDINGS_TASKING_H
#define OMPP_FINDINGS_TASKING_H

#include "reports/analysis/analysis.h"

/* A time and its bounds, as the profiler's own cost is known only within bounds. */
struct ompp_bounded {
	int64_t ns, least_ns, most_ns;
};

/* What the members with one rank path did. */
struct ompp_tasking_row {
	int64_t make_ns, run_ns, wait_ns, own_ns;
	uint64_t n_made, n_run;
};

struct ompp_tasking {
	uint32_t region;    /* the PARALLEL */
	uint32_t task;      /* the TASK or TASKLOOP that took longest to make; OMPP_NONE when there are no tasks */
	uint32_t n_kinds;   /* how many TASK and TASKLOOP constructs were executed */
	uint32_t n_threads; /* the largest team */
	uint64_t n_visits;  /* executions of the region */
	uint64_t n_tasks;   /* tasks that were run; of a TASKLOOP, iterations */
	uint64_t n_alone;   /* executions of bodies of SINGLE, MASTER and MASKED that made tasks directly */
	struct ompp_bounded make, run;
	int64_t loop_ns; /* the part of make that is of TASKLOOP */
	int64_t wait_ns, own_ns;
	int64_t alone_ns;      /* the part of own_ns that is in SINGLE, MASTER and MASKED, which one thread executes */
	int64_t alone_make_ns; /* the part of make that is there */
	int64_t task_make_ns;  /* the part of make that tasks made */
	int64_t off_ns;        /* for how long threads had no processor in tasks, where that is known; no part of run */
	int64_t total_ns;      /* make + run + wait + own + off */
	int64_t span_ns; /* the time in which this passed: wall-clock time of the region's teams, less their start and
	                    end */
	const struct ompp_tasking_row *rows; /* by row of the profile; valid until the next call */
	size_t n_rows;
};

/* Room for the rows of one region at a time, in the analysis's arena.  Returns NULL without memory. */
struct ompp_tasking_row *ompp_tasking_rows(const struct ompp_analysis *a);

/* Adds up what was done with tasks in a PARALLEL. rows: from ompp_tasking_rows(). */
void ompp_tasking(const struct ompp_analysis *a, uint32_t region, struct ompp_tasking_row *rows,
                  struct ompp_tasking *tasking);

/* Calls the function for each SINGLE, MASTER and MASKED of the parallel region below which tasks are made. */
void ompp_tasking_producers(const struct ompp_analysis *a, uint32_t region, void (*producer)(void *, uint32_t),
                            void *context);

#endif
