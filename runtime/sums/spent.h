/*
 * Spent: computes the times of one thread's call tree, with the runtime's own cost subtracted.
 *
 * The own time of a visit contains the regions below it, but not the tasks that the thread ran meanwhile.  The
 * runtime's own cost in that time has three parts: the inner part of the visit's own events, the whole cost of all
 * events below it that are not in tasks, and the outer part of the begin and end of each task that ran inside.  Which
 * tasks ran inside is no longer known.  So the cost in them is assumed to be the same fraction of their time as in all
 * tasks that the thread ran in that team.  The cost of samples by hooks is measured when it occurs, and is a part of
 * the same cost.
 *
 * The cost of an event is an estimate.  So the subtraction is limited: a time never becomes shorter than its parts.
 */
#ifndef OMPP_SUMS_SPENT_H
#define OMPP_SUMS_SPENT_H

#include <stdint.h>

#include "runtime/core/storm.h"
#include "runtime/events/cost.h"
#include "runtime/sums/sum_merge.h"

/* The times of the visits of one node, in ticks × 256, without the runtime's own cost. */
struct ompp_spent {
	int64_t own, task;                /* own: in the node itself; task: in tasks that ran inside */
	int64_t cost[OMPP_N_COST_BOUNDS]; /* subtracted from both, and its bounds */
	uint64_t n_open;                  /* visits that are still open; own and task contain them up to now */
	uint32_t open_at;                 /* index of the frame of one of them, or OMPP_NONE */
	struct ompp_storm_estimate storm; /* visits that were not timed; own contains their estimated time */
};

/* Fills spent[n].  The nodes are in the order of their index.  Adds to n_open, n_left, n_visits and own_fp of the
 * merge.  Returns 0 or -ENOMEM. */
int ompp_spent(struct ompp_merge *merge, struct ompp_thread *t, struct ompp_callnode *const *nodes, uint32_t n,
               struct ompp_spent *spent);

#endif
