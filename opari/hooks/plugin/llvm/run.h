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

/* What is known of a function. */
struct plugin_known {
	llvm::DominatorTree &dominators;
	llvm::LoopInfo &loops;
	llvm::ScalarEvolution &evolution;
	llvm::SCEVExpander &expander;
	const llvm::TargetLibraryInfo &library;
	calls &ours;
};

/* A loop-invariant condition under which a block is executed: a value, or a comparison. */
struct guard {
	llvm::Value *condition;
	llvm::CmpInst::Predicate predicate;
	const llvm::SCEV *left, *right; /* NULL: it is the value */
	bool inverse;                   /* the block is executed when it is false */
};

/* One loop of a run. */
struct dimension {
	const llvm::SCEV *step, *n;
};

/* A hook, or a copy, as a call for n × n … accesses in a block of an outer loop, the first access at `base`. */
struct candidate {
	llvm::CallInst *hook;
	llvm::BasicBlock *block;
	const llvm::SCEV *base;
	llvm::SmallVector<struct dimension, MOST_DIMENSIONS> dimensions; /* the innermost first */
	llvm::SmallVector<struct guard, 4> guards;
};

/* Returns the candidate for a call and the address in one of its arguments, placed where the call is. */
struct candidate candidate_of(const struct plugin_known &known, llvm::CallInst *call, unsigned int argument);

/* Moves a candidate out of the loop in which it is.  Returns false when that cannot be done, or the loop is not in the
 * quiet one. */
bool move_out(const struct plugin_known &known, llvm::Loop *quiet, struct candidate *c);

/* Returns n when the candidate's guards hold, else 0. */
llvm::Value *guarded(const struct plugin_known &known, llvm::IRBuilder<> &builder, const struct candidate &c,
                     llvm::Value *n);

/* Makes runs of the hooks of a quiet loop, with those inside it.  All of them are in simplified form. */
void make_runs(llvm::Loop *quiet, const struct plugin_known &known, struct plugin_counts *counts);

#endif
