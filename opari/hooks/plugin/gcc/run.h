/*
 * Run: accesses whose addresses advance by a constant step (affine in the induction variable).
 *
 * The hook of such an access in a loop becomes one call for all of its accesses: before the loop if the trip count is
 * known there, else on each exit, with the iterations counted.  If the outer loop repeats a run with a constant step,
 * these runs become one call, too.
 */
#ifndef KINST_PLUGIN_RUN_H
#define KINST_PLUGIN_RUN_H

#include "calls.h"

/* What became of the hooks of a function. */
struct plugin_counts {
	unsigned int runs, counted, hoisted, sites, hooks, ordered;
};

/* A loop-invariant condition under which a block is executed. */
struct guard {
	gcond *condition; /* NULL: none */
	bool inverse;     /* the block is executed when it is false */
};

/* A hook, or a run of an inner loop, whose (first) address advances by a constant step in the loop. */
struct candidate {
	gimple *statement;
	int dimensions; /* 0: a hook */
	struct guard guard;
	affine_iv address;
	auto_vec<tree, 2 * MOST_DIMENSIONS> rest; /* the run's steps and counts, which are loop-invariant */
};

/* Analyses the candidate's call.  Returns false when the loop does not make a run of it. */
bool consider(class loop *loop, struct candidate *c);

/* Returns how often the latch of a loop is executed, as an expression that is available before the loop; NULL_TREE if
 * unknown. */
tree latches(class loop *loop);

/* Returns how often a candidate is executed in a loop whose latch is executed n times. */
tree executions(gimple_seq *sequence, class loop *loop, const struct candidate *c, tree n);

/* Makes runs of the hooks of a nest. */
void make_runs(class loop *nest, struct plugin_counts *counts);

#endif
