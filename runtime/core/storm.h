/*
 * Storm: visits of a region that are so frequent and so short that the profiler's own cost would be most of their time.
 *
 * In a storm, a random sample of a node's visits is timed, chosen with the thread's own random numbers; the others are
 * only counted.  Only visits in which no other region begins are untimed: a node that gets a child leaves its storm for
 * ever (ompp_callgraph_find), and the visit in which that happens is timed from there on.  So the tree, the frames and
 * all counts stay exact.  All visits before the storm are timed.
 *
 * Constructs that let in one thread at a time (CRITICAL, ORDERED, locks) have three times a visit, and a storm of
 * theirs has all of them: a visit is timed as a whole or not at all.  The body of a CRITICAL or ORDERED is a node of
 * its own, but the construct's node decides for both: they have the same storm, and the same visits are timed.
 *
 * A storm lasts while its timed visits stay short, and while the time between them shows that few of the others can
 * have been long: where waits are rare and long, all visits are timed, as a sample would miss them.  When a storm ends,
 * its estimate is added to those of earlier storms, as each sample is uniform only within its own storm.  The longer it
 * lasts, the fewer visits are timed: after enough of them, it ends, and the next one begins with half the sampling
 * rate.
 */
#ifndef OMPP_CORE_STORM_H
#define OMPP_CORE_STORM_H

#include <stdint.h>

#include "runtime/base/geometric.h"
#include "runtime/host/cpu.h"

enum { OMPP_STORM_FIRST_LOOK = 4096 };    /* visits of a node before the first check of its times */
#define OMPP_STORM_NEVER UINT64_MAX       /* look_at of a node that is never in a storm */
#define OMPP_STORM_LED   (UINT64_MAX - 1) /* look_at of a body while its construct is not in a storm */

struct ompp_callgraph;
struct ompp_callnode;

/* The times of a visit.  Most constructs have the whole alone. */
enum ompp_storm_time { OMPP_STORM_WHOLE, OMPP_STORM_ENTER, OMPP_STORM_BODY, OMPP_STORM_EXIT, OMPP_STORM_TIMES };

/* What is known of one of them.  Numbers of 128 bits are two words, the low one first. */
struct ompp_storm_sum {
	uint64_t ticks, squares[2];               /* of the visits in the sample, and the sum of their squares */
	uint64_t past_ticks, past_variance[2];    /* ended storms: estimated time of untimed visits, and its variance */
	uint64_t before_ticks, before_squares[2]; /* ticks and squares of the latest of these */
	uint64_t assumed_ticks; /* the part of the ticks of the node of this time that is assumed for untimed visits, so
	                           that a watcher of the run sees an approximate time: each is assumed to be as long as
	                           the next timed one */
};

/* How long it was between visits that were timed, as time in the node above: what no timed visit showed must have been
 * there. */
struct ompp_storm_spans {
	uint64_t at_ticks, at_n; /* the end of the last timed visit: time in the node above, and the node's visits */
	uint64_t n, ticks;       /* visits and time of all spans */
	uint64_t most_ticks;     /* the most that a span of the storm was longer than is usual for its visits */
	uint64_t sum_ticks;      /* and the sum over all of its spans that were longer */
};

/* What the spans of all storms of a node tell together: their time, and by how much those were longer that took more
 * than twice as long as is usual, without what the thread waited for its processor: as much as visits without time may
 * have had beyond the estimate. */
struct ompp_storm_unseen {
	uint64_t all_ticks, ticks;
	struct ompp_cpu_reading cpu; /* as the kernel told it when a span was long, or the storm began */
	uint64_t read_ticks;         /* when, by our clock; 0 when the kernel did not tell */
};

/* Written by the thread of the node; a report reads it. */
struct ompp_storm {
	struct ompp_geometric gaps;
	uint64_t gap; /* their mean */
	uint64_t random;
	/* the node's visits and their time at the last check, the time in the node above, and the number of visits
	 * until the next check */
	uint64_t looked_n, looked_ticks, looked_around, interval;
	/* The current or latest storm: its number; the node's visits at its begin and, once a child ended it for ever,
	 * at its end; of these visits the ones in the sample, and those that were timed outside the sample. */
	uint64_t number, begin_n, end_n, n_timed, n_beside;
	uint64_t typical_ticks; /* approximate time of a visit */
	uint64_t crowd_ticks;   /* time of the last timed visits, which decides whether the storm continues */
	/* ended storms: untimed visits, and those in samples; and these of the latest one */
	uint64_t past_n, past_timed, before_timed;
	uint64_t n_changes; /* odd while a visit is added to a storm, or a storm to the ended ones (seqlock) */
	uint64_t assumed_n; /* the node's visits when a time was last assumed */
	struct ompp_storm_spans spans;
	struct ompp_storm_unseen unseen;
	uint32_t n_times;                 /* 1, or OMPP_STORM_TIMES */
	uint32_t has_body;                /* 1 when the body of the visit that goes on has ended, with its times */
	struct ompp_callnode *body;       /* the node that is led; NULL for constructs without */
	uint64_t enter_ticks, body_ticks; /* times of the visit that goes on */
	struct ompp_storm_sum times[OMPP_STORM_TIMES];
};

/* The estimate for the untimed visits of a node. */
struct ompp_storm_estimate {
	uint64_t n;
	uint64_t n_chosen;                /* the visits in the sample */
	int has_error;                    /* 0 when too few were timed for a variance */
	int has_parts;                    /* 1 when there are times beside the whole, which is the sum of them */
	uint64_t ticks[OMPP_STORM_TIMES]; /* n times the mean of the timed visits */
	unsigned __int128 variance[OMPP_STORM_TIMES]; /* of ticks, in ticks² */
	enum ompp_storm_time own;                     /* the time that the node's ticks are of */
	uint64_t assumed_ticks;                       /* to be subtracted from the node's ticks */
};

/* The cost of events here, in ticks × 256: the most for an enter-exit pair that reads the clock, its inner part, and a
 * pair that does not.  Set before the first event; all 0 while every visit must be timed. */
struct ompp_storm_costs {
	uint64_t pair_fp, in_fp, untimed_fp;
};
extern struct ompp_storm_costs ompp_storm_costs;

/* Checks the times of a node with many visits, and begins a storm if they are short; else sets the time of the next
 * check.  COLD.
 * random: the seed of this thread's random numbers
 * around: the time that was spent in the node above */
void ompp_storm_look(struct ompp_callgraph *graph, struct ompp_callnode *node, uint64_t random, uint64_t around);

/* Adds a timed visit to a storm, and ends the storm when its visits have become long.  WARM.
 * times: of the visit; the whole alone where the storm has no others */
void ompp_storm_add(struct ompp_callnode *node, const uint64_t times[OMPP_STORM_TIMES]);

/* Records from when to when a visit that is timed lasted, in time of the node above; the node's n contains it.  WARM.
 */
void ompp_storm_span(struct ompp_callnode *node, uint64_t begin, uint64_t end);

/* Lets the body's visits be timed in which those of its construct are, after one that was not chosen.  WARM. */
void ompp_storm_lead(struct ompp_callnode *node);

/* Returns the estimate for the untimed visits of a node, or of the construct of a body; all 0 when it has none. */
struct ompp_storm_estimate ompp_storm_estimate(const struct ompp_callnode *node);

/* Chooses the next visit of a storm to be timed, when the last timed one ends.  WARM. */
void ompp_storm_choose(struct ompp_callnode *node);

#endif
