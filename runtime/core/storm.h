/*
 * Storm: visits of a region that are so frequent and so short that the profiler's own cost would be most of their time.
 *
 * In a storm, a random sample of a node's visits is timed, chosen with the thread's own random numbers; the others are
 * only counted.  Only visits in which no other region begins are untimed: a node that gets a child leaves its storm for
 * ever (ompp_callgraph_find), and the visit in which that happens is timed from there on.  So the tree, the frames and
 * all counts stay exact.  All visits before the storm are timed.
 *
 * A storm lasts while its timed visits stay short.  When it ends, its estimate is added to those of earlier storms, as
 * each sample is uniform only within its own storm.  The longer it lasts, the fewer visits are timed: after enough of
 * them, it ends, and the next one begins with half the sampling rate.
 */
#ifndef OMPP_CORE_STORM_H
#define OMPP_CORE_STORM_H

#include <stdint.h>

#include "runtime/base/geometric.h"

enum { OMPP_STORM_FIRST_LOOK = 4096 }; /* visits of a node before the first check of its times */
#define OMPP_STORM_NEVER UINT64_MAX    /* look_at of a node that is never in a storm */

struct ompp_callgraph;
struct ompp_callnode;

/* Written by the thread of the node; a report reads it.  Numbers of 128 bits are two words, the low one first. */
struct ompp_storm {
	struct ompp_geometric gaps;
	uint64_t gap; /* their mean */
	uint64_t random;
	/* the node's visits and their time at the last check, and the number of visits until the next */
	uint64_t looked_n, looked_ticks, interval;
	/* The current or latest storm: the node's visits at its begin and, once a child ended it for ever, at its end;
	 * of these visits the ones in the sample, their time and the sum of its squares; and those that were timed
	 * outside the sample. */
	uint64_t begin_n, end_n, n_timed, ticks, n_beside;
	uint64_t typical_ticks; /* approximate time of a visit */
	uint64_t crowd_ticks;   /* time of the last timed visits, which decides whether the storm continues */
	uint64_t squares[2];
	/* ended storms: untimed visits, their estimated time and its variance; and the sampled visits */
	uint64_t past_n, past_ticks, past_timed;
	uint64_t past_variance[2];
	/* the same for the latest of these: its timed visits */
	uint64_t before_timed, before_ticks;
	uint64_t before_squares[2];
	uint64_t n_changes; /* odd while a visit is added to a storm, or a storm to the ended ones (seqlock) */
	/* the part of the node's ticks that is assumed for untimed visits, so that a watcher of the run sees an
	 * approximate time: each is assumed to be as long as the next timed one; and the node's visits at that time */
	uint64_t assumed_ticks, assumed_n;
};

/* The estimate for the untimed visits of a node. */
struct ompp_storm_estimate {
	uint64_t n, ticks;          /* ticks is n times the mean of the timed visits */
	uint64_t n_chosen;          /* the visits in the sample */
	unsigned __int128 variance; /* of ticks, in ticks² */
	int has_error;              /* 0 when too few were timed for a variance */
	uint64_t assumed_ticks;     /* to be subtracted from the node's ticks */
};

/* The cost of events here, in ticks × 256: the most for an enter-exit pair that reads the clock, its inner part, and a
 * pair that does not.  Set before the first event; all 0 while every visit must be timed. */
struct ompp_storm_costs {
	uint64_t pair_fp, in_fp, untimed_fp;
};
extern struct ompp_storm_costs ompp_storm_costs;

/* Checks the times of a node with many visits, and begins a storm if they are short; else sets the time of the next
 * check.  COLD.
 * random: the seed of this thread's random numbers */
void ompp_storm_look(struct ompp_callgraph *graph, struct ompp_callnode *node, uint64_t random);

/* Adds a timed visit to a storm, and ends the storm when its visits have become long.  WARM. */
void ompp_storm_add(struct ompp_callnode *node, uint64_t ticks);

/* Returns the estimate for the node's untimed visits; all 0 when it has none. */
struct ompp_storm_estimate ompp_storm_estimate(const struct ompp_callnode *node);

/* Chooses the next visit of a storm to be timed, when the last timed one ends.  WARM. */
void ompp_storm_choose(struct ompp_callnode *node);

#endif
