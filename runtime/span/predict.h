/*
 * Predict: how long a team would take with other numbers of threads, from the strands that it executed (strand.h).
 *
 * least: no schedule is shorter.  The work is shared by all threads; the chain of what cannot be divided, and the time
 * in one critical region, are not (Brent's and the work law).  Code that each thread executes is not in it.
 * likely: what a list schedule takes that gives each thread that is free the next strand (Graham).  The order is that
 * of the strands' begins on the longest path, and a strand waits for all that end on the path before it begins.  Shares
 * of loops are divided as a static schedule would divide them, with the lengths of iterations changing evenly from
 * share to share; short strands fill the slices of the path in which they are.  Loops of LLVM's library are dealt out
 * as it does (deal.h).  most: Graham's bound, with critical regions one after another, and what management took.
 *
 * COLD: by the thread that joins a team, when all members have ended.
 */
#ifndef OMPP_SPAN_PREDICT_H
#define OMPP_SPAN_PREDICT_H

#include "runtime/span/strand.h"

enum { OMPP_PREDICTED = 9 }; /* 1, 2, 4 … 256 threads */

struct ompp_predicted {
	uint64_t least_ticks, likely_ticks, most_ticks;
	uint64_t shared_ticks;   /* a thread's share of the work */
	uint64_t managing_ticks; /* its share of creating tasks, and with several threads the burdens */
};

/* Sums over the executions of a region; written by the owner of the node. */
struct ompp_prediction {
	uint64_t n;          /* executions that were predicted */
	uint64_t n_unlikely; /* of these: of which no time is likely, as strands that are bound are in no forest, and
	                        the schedule would let other threads go on behind them, or as it is not known how a loop
	                        is dealt out */
	uint64_t chain_ticks, locked_ticks;
	struct ompp_predicted by[OMPP_PREDICTED];
};

/* What is known of a team beside its strands. */
struct ompp_predict_team {
	const struct ompp_strands *strands; /* of all members, linked */
	uint32_t n_threads;
	uint64_t span_ticks, chain_ticks; /* of the longest path in it: all; without what could be divided */
	uint64_t burden_ticks;            /* of the longest path with burdens: what they add */
	uint64_t elapsed_ticks;           /* how long it took; 0 where that is not known */
	int is_gnu;                       /* GCC's library executes its tasks (forest.h) and hands out its loops */
};

/* Memory for the schedules of one thread's teams. */
struct ompp_predictor;

/* Adds a team to the sums.  Returns 0 when it could not, without memory.
 * predictor: NULL before the first one */
int ompp_predict(struct ompp_predictor **predictor, const struct ompp_predict_team *team,
                 struct ompp_prediction *prediction);

#endif
