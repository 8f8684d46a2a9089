/*
 * Nest: loops whose accesses may be counted at another place of the same execution.
 *
 * While such a loop runs, the thread enters no region, names no memory, and is not stopped half-way: a *quiet* loop
 * calls nothing but functions without side effects, throws nothing, waits for no other thread, and is left by its exits
 * alone.  A nest is a quiet loop, with the loops inside it, that is in no other quiet loop.
 */
#ifndef KINST_PLUGIN_NEST_H
#define KINST_PLUGIN_NEST_H

#include "calls.h"

/* Returns 1 for a call of a function of the mathematical library, which may set errno. */
bool is_math_call(const llvm::CallBase &call, const llvm::TargetLibraryInfo &library);

/* Finds the nests of a function. */
void find_nests(llvm::LoopInfo &loops, const llvm::TargetLibraryInfo &library,
                llvm::SmallVectorImpl<llvm::Loop *> &nests);

/* Makes a second version of a nest, which keeps its hooks; the first one is to count by runs.  At run time
 * ompp_access_runs chooses, and how often in a row the nest with this hash of NEST_BITS was short.  The nest is in
 * LCSSA form.  Dominators and loops have to be found again.  Returns the header of the second one. */
llvm::BasicBlock *double_nest(llvm::Loop *nest, unsigned int hash, calls &ours);

/* Makes a second version of a loop in the same way; the first one is taken when ompp_access_ordered is not 0. */
llvm::BasicBlock *double_ordered(llvm::Loop *loop, calls &ours);

/* Gives each exit a block of its own, to whose begin everything comes that is counted on exits. */
void split_exits(llvm::Loop *nest, llvm::DominatorTree &dominators, llvm::LoopInfo &loops);

/* Lets the library know while the thread is in a nest, as its runs are counted before or behind it.  What it knew
 * before is put back, as a function that is called in a nest may have one itself. */
void tell_nest(llvm::Loop *nest, calls &ours);

#endif
