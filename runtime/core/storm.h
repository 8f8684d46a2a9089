/*
 * Storm: visits of a region that are so many and so short that the profiler's own cost would be most of their time.
 *
 * Of a node in a storm one visit in some is timed, which the thread's own random numbers choose; the others are counted
 * and have no time.  Only visits in which no other region begins are untimed: a node that gets a child leaves its storm
 * for ever (ompp_callgraph_find), and a visit in which that happens is timed from there on.  So the tree, the frames
 * and all counts stay exact.  Visits before the storm are all timed.
 *
 * A storm goes on while its timed visits stay short.  One that ends is added to what is known of those before it, as
 * each is an even sample of its own time alone.  The longer it goes on, the fewer are timed: when enough were, it ends,
 * and the next one, of which half as many are, begins.
 */
#ifndef OMPP_CORE_STORM_H
#define OMPP_CORE_STORM_H

#include <stdint.h>

#include "runtime/base/geometric.h"

enum { OMPP_STORM_FIRST_LOOK = 4096 }; /* visits of a node before its times are looked at */
#define OMPP_STORM_NEVER UINT64_MAX    /* look_at of a node that is never in a storm */

struct ompp_callgraph;
struct ompp_callnode;

/* Written by the thread of the node; a report reads it.  Numbers of 128 bits are two words, the low one first. */
struct ompp_storm {
	struct ompp_geometric gaps;
	uint64_t gap; /* their mean */
	uint64_t random;
	/* the node's visits and their time when they were looked at last, and how many may pass until the next look */
	uint64_t looked_n, looked_ticks, interval;
	/* The storm that goes on, or was the last one: the node's visits at its begin and, once a child ended it for
	 * ever, at its end; of these the ones that were chosen and timed, their time and its squares; and those that
	 * were timed without being chosen. */
	uint64_t begin_n, end_n, n_timed, ticks, n_beside;
	uint64_t typical_ticks; /* about what a visit takes */
	uint64_t crowd_ticks;   /* of the last timed visits, which say whether the storm goes on */
	uint64_t squares[2];
	/* the storms that ended: the visits without time, their estimated time and its variance; and those chosen */
	uint64_t past_n, past_ticks, past_timed;
	uint64_t past_variance[2];
	/* of the last of these, the visits that were timed as above */
	uint64_t before_timed, before_ticks;
	uint64_t before_squares[2];
	uint64_t n_changes; /* odd while a visit is added to a storm, or a storm to those that ended */
	/* what the node's ticks have for visits that were not timed, so that who watches the run sees about their time:
	 * each was taken to be as long as the next that was timed; and the node's visits when that was */
	uint64_t assumed_ticks, assumed_n;
};

/* What is known of the visits of a node that were not timed. */
struct ompp_storm_estimate {
	uint64_t n, ticks;          /* ticks are n times the mean of those that were timed */
	uint64_t n_chosen;          /* the visits that were timed for that */
	unsigned __int128 variance; /* of ticks, in ticks² */
	int has_error;              /* 0 where too few were timed to know the variance */
	uint64_t assumed_ticks;     /* to be taken out of the node's ticks */
};

/* What events cost here, in ticks × 256: at the most for a pair that reads the clock, its inner part, and a pair that
 * does not.  Set before the first event; all 0 while no visit may be untimed. */
struct ompp_storm_costs {
	uint64_t pair_fp, in_fp, untimed_fp;
};
extern struct ompp_storm_costs ompp_storm_costs;

/* Looks at the times of a node that has been visited often, and begins a storm where they are short; else says when to
 * look again.  COLD.
 * random: the begin of this thread's random numbers */
void ompp_storm_look(struct ompp_callgraph *graph, struct ompp_callnode *node, uint64_t random);

/* Adds a timed visit of a storm, and ends the storm when its visits have become long.  WARM. */
void ompp_storm_add(struct ompp_callnode *node, uint64_t ticks);

/* Returns what is known of the node's visits without time; all 0 when it has none. */
struct ompp_storm_estimate ompp_storm_estimate(const struct ompp_callnode *node);

/* Chooses the next visit of a storm that is timed, when the last one ends.  WARM. */
void ompp_storm_choose(struct ompp_callnode *node);

#endif
