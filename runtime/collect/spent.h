/*
 * Spent: the times of one thread's call tree, with the runtime's own cost taken out.
 *
 * What a visit spent itself, its own time, contains regions below it, but not the tasks that the thread ran meanwhile.  The
 * runtime's own cost in it is the inner part of its own events, all of those below it but in tasks, and of each task that
 * ran inside the outer part of its begin and end.  Which tasks ran inside is not known any more: the cost in them
 * is the same share of their time as in all tasks that the thread ran in that team.
 *
 * The cost of an event is an estimate, so what is taken out leaves at least what the parts of a time have left: no part is
 * longer than its whole.
 */
#ifndef OMPP_COLLECT_SPENT_H
#define OMPP_COLLECT_SPENT_H

#include <stdint.h>

#include "runtime/collect/merge.h"
#include "runtime/core/cost.h"

/* Of one node, in ticks × 256. */
struct ompp_spent {
	int64_t  own, task;                     /* itself; of other instances that ran inside: without own cost */
	int64_t  cost[OMPP_N_COST_BOUNDS];      /* taken out of both; and what that may have been */
	uint64_t n_open;                        /* visits that have not ended yet, in own and task up to now */
	uint32_t open_at;                       /* the frame of one of them; OMPP_NONE */
};

/* Fill spent[n]; nodes are in the order of their index.  Adds to merge's n_open, n_left, n_visits and own_fp.
 * 0 or -ENOMEM. */
int ompp_spent(struct ompp_merge *merge, struct ompp_thread *t, struct ompp_callnode *const *nodes, uint32_t n,
               struct ompp_spent *spent);

#endif
