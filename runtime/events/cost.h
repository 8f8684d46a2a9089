/*
 * Cost: the time that the runtime's own events take, measured at the start of the run and before its last report.
 *
 * The cost of an event depends on the program's instructions around it: a processor that waits for a result can execute
 * the event meanwhile, a busy one cannot.  So events are measured between several kinds of work.  This gives the cost
 * as an interval; the typical cost is the one measured with the kind of work that is usual in the event's construct.
 * The interval of tasks is wide: between any two of their events the OpenMP library runs code of its own, and reads
 * tasks from memory.
 */
#ifndef OMPP_EVENTS_COST_H
#define OMPP_EVENTS_COST_H

#include <stdint.h>

#include "runtime/core/callgraph.h"
#include "runtime/core/region.h"
#include "runtime/events/arrival.h"
#include "runtime/sources/source.h"

/* Constructs whose events cost the same. */
enum ompp_cost_kind {
	OMPP_COST_PLAIN,  /* loops, user regions and all others */
	OMPP_COST_LOCKED, /* constructs with an atomic access: critical */
	/* the same without durations (durations.h): functions, parts of constructs, …; and atomic, locks */
	OMPP_COST_BRIEF,
	OMPP_COST_BRIEF_LOCKED,
	OMPP_COST_TASK,    /* creating tasks, executing them, and waiting for them */
	OMPP_COST_BARRIER, /* barriers of teams with several members: arrivals are recorded */
	/* plain and locked constructs in a storm (storm.h): untimed visits, and those in the sample */
	OMPP_COST_UNTIMED,
	OMPP_COST_UNTIMED_LOCKED,
	OMPP_COST_CHOSEN,
	OMPP_COST_CHOSEN_LOCKED,
	OMPP_COST_READ, /* any construct where the sources are read at its events */
	OMPP_N_COST_KINDS
};

/* The cost in ticks × 256: pair is one enter and exit together; in and out are the parts inside and outside of the
 * measured interval.  Each bound is found separately, so a bound of in and one of out do not add up to that of the
 * pair. */
struct ompp_cost {
	uint64_t pair_fp, in_fp, out_fp;
};

/* The counts that an event adds to a value of the sources, × 256: [1] where the sources are read, [0] where they are
 * not. */
struct ompp_value_cost {
	uint64_t pair_fp[2], in_fp[2];
};

/* Both are written at the start and before the last report, and are all 0 with the fake clock. */
extern struct ompp_cost ompp_costs[OMPP_N_COST_KINDS][OMPP_N_COST_BOUNDS];
extern struct ompp_value_cost ompp_value_costs[OMPP_MAX_METRICS];

/* What a visit costs that is counted alone (n_quick of a node), in ticks × 256; 0 while ompp_cost_counted was never
 * set. Written before the last report. */
extern uint64_t ompp_counted_fp[OMPP_N_COST_BOUNDS];

/* Makes a call that is counted alone, or the same one plainly, as often as it is called.  Set before the first such
 * visit; else NULL. */
extern void (*ompp_cost_counted)(int is_counted) __attribute__((visibility("hidden")));

/* Measures the costs on a thread slot that no thread uses; those of storms only if needed.  COLD. */
void ompp_cost_calibrate(void);

/* Measures the costs once more at the end of the run: the typical cost is then the mean of both, and the bounds contain
 * both.  A processor that others share may be half as fast at one of these times, and after ompp_off() events cost
 * more, as the clock is no longer a plain reading.  Does nothing while measuring is off, or when events have additional
 * work.  Called by the thread that makes the last report.  COLD. */
void ompp_cost_calibrate_again(void);

/* Returns the kind of the events at this node, which is a part of a construct of the given sort. */
enum ompp_cost_kind ompp_cost_kind(const struct ompp_callnode *node, enum ompp_construct construct);

#endif
