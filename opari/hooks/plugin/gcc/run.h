/*
 * Run: accesses whose addresses advance by a step that stays the same.
 *
 * A hook that a loop calls for such an access becomes one call for all of them: before the loop when the number of its
 * iterations is known then, else on each of its exits, with the iterations counted.  A run that the loop around does
 * again with a step that stays the same becomes one call, too.
 */
#ifndef KINST_PLUGIN_RUN_H
#define KINST_PLUGIN_RUN_H

#include "calls.h"

/* What became of the hooks of a function. */
struct plugin_counts {
	unsigned int runs, counted, hoisted, sites, hooks, ordered;
};

/* A condition that does not change in the loop, under which alone a block is executed. */
struct guard {
	gcond *condition; /* NULL: none */
	bool inverse;     /* the block is executed when it is false */
};

/* A hook, or a run of an inner loop, whose first address the loop advances by a step. */
struct candidate {
	gimple *statement;
	int dimensions; /* 0: a hook */
	struct guard guard;
	affine_iv address;
	auto_vec<tree, 2 * MOST_DIMENSIONS> rest; /* the run's steps and numbers, which stay the same */
};

/* Looks at the candidate's call.  Returns false when the loop does not repeat it as a run. */
bool consider(class loop *loop, struct candidate *c);

/* Returns how often the latch of a loop is executed, as an expression that can be computed before the loop; NULL_TREE
 * when that is not known. */
tree latches(class loop *loop);

/* Returns how often a candidate is executed in a loop whose latch is executed n times. */
tree executions(gimple_seq *sequence, class loop *loop, const struct candidate *c, tree n);

/* Makes runs of the hooks of a nest. */
void make_runs(class loop *nest, struct plugin_counts *counts);

#endif
