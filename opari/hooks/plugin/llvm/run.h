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
	unsigned int runs, counted, hoisted, sites, hooks;
};

/* What is known of a function. */
struct plugin_known {
	llvm::DominatorTree &dominators;
	llvm::LoopInfo &loops;
	llvm::ScalarEvolution &evolution;
	llvm::SCEVExpander &expander;
	calls &ours;
};

/* Makes runs of the hooks of a nest.  Its loops are in simplified form. */
void make_runs(llvm::Loop *nest, const struct plugin_known &known, struct plugin_counts *counts);

#endif
