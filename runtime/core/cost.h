/*
 * Cost: what the runtime's own events take, measured at the start of the run and before its last report.
 *
 * An event costs more or less by what the program does around it: a processor that waits for a result does it meanwhile,
 * one that is busy cannot.  So events are measured between several kinds of work.  What they cost is known as an interval,
 * and typically as beside the kind of work that their construct does.
 */
#ifndef OMPP_CORE_COST_H
#define OMPP_CORE_COST_H

#include <stdint.h>

#include "runtime/core/callgraph.h"
#include "runtime/core/region.h"
#include "runtime/sources/source.h"

/* Constructs whose events cost the same. */
enum ompp_cost_kind {
	OMPP_COST_PLAIN,                /* loops, user regions and all others */
	OMPP_COST_LOCKED,               /* what makes an atomic access: atomic, critical, locks, waiting for tasks */
	OMPP_COST_TASK,                 /* creating tasks and executing them */
	OMPP_COST_BARRIER,              /* barriers at which there are others to wait for: arrivals are written down */
	OMPP_COST_READ,                 /* any, where the sources are read at its events */
	OMPP_N_COST_KINDS
};

enum ompp_cost_bound { OMPP_COST_TYPICAL, OMPP_COST_LEAST, OMPP_COST_MOST, OMPP_N_COST_BOUNDS };

/* In ticks × 256: one enter and exit in all, and of that, what lies inside and outside of the measured interval.  Of the
 * bounds each is its own: inside and outside do not add up to the pair. */
struct ompp_cost { uint64_t pair_fp, in_fp, out_fp; };

/* The same of a value of the sources, × 256; [1] where the sources are read, [0] where they are not. */
struct ompp_value_cost { uint64_t pair_fp[2], in_fp[2]; };

/* Written at the start and before the last report, all 0 with the fake clock. */
extern struct ompp_cost ompp_costs[OMPP_N_COST_KINDS][OMPP_N_COST_BOUNDS];
extern struct ompp_value_cost ompp_value_costs[OMPP_MAX_METRICS];

/* Measure them, on a thread slot of its own.  COLD. */
void ompp_cost_calibrate(void);

/* At the end of the run measure them once more: the typical cost is then the mean of both, and the bounds contain both.  A
 * processor that others share may be half as fast at one of these times, and after ompp_off() events cost more, as the clock is
 * no longer a plain reading.  Not while measuring is off, or where events have more to do.  By the thread that makes the last
 * report.  COLD. */
void ompp_cost_calibrate_again(void);

/* The kind of the events at this node, which is a part of such a construct. */
enum ompp_cost_kind ompp_cost_kind(const struct ompp_callnode *node, enum ompp_construct construct);

#endif
