/*
 * Nest: loops whose accesses may be counted at another place of the same execution.
 *
 * While such a loop runs, the thread enters no region, names no memory, and is not stopped half-way: a *quiet* loop
 * calls nothing but functions without side effects, throws nothing, waits for no other thread, and is left by its exits
 * alone.  A nest is an outermost quiet loop with its inner loops: it is in no other nest.
 *
 * A nest may also have calls of unknown functions if LLVM expects them in few iterations only, such as those that grow
 * a container.  These are its *pauses*: counts are handed over before such a call, whether or not it returns, and start
 * anew after it.  Loops with pauses cannot count anything before they run.
 */
#ifndef KINST_PLUGIN_NEST_H
#define KINST_PLUGIN_NEST_H

#include "calls.h"

#include <llvm/Analysis/BlockFrequencyInfo.h>

/* Returns 1 for a call of a function of the mathematical library, which may set errno. */
bool is_math_call(const llvm::CallBase &call, const llvm::TargetLibraryInfo &library);

/* Returns 1 when an instruction enters no region, throws nothing, waits for no other thread, and comes back. */
bool is_quiet_instruction(const llvm::Instruction &instruction, const llvm::TargetLibraryInfo &library);

/* Returns 1 when an instruction of a nest is a pause, or would be one where it is rare. */
bool is_pause(const llvm::Instruction &instruction, const llvm::TargetLibraryInfo &library);

/* Returns 1 for a hook in a nest with pauses that is as rare as they are.  Such hooks are marked when the nest is
 * found, as LLVM's frequencies change with the code. */
bool is_rare(const llvm::Instruction &instruction);

/* Collects the outermost quiet loops of a nest: the nest itself if it has no pauses. */
void find_quiet(llvm::Loop *nest, const llvm::TargetLibraryInfo &library, llvm::SmallVectorImpl<llvm::Loop *> &quiet);

/* Finds the exit blocks of a loop, except those of exceptions, which come from pauses. */
void exits_of(const llvm::Loop *loop, llvm::SmallVectorImpl<llvm::BasicBlock *> &exits);

/* Finds the nests of a function. */
void find_nests(llvm::LoopInfo &loops, llvm::BlockFrequencyInfo &frequencies, const llvm::TargetLibraryInfo &library,
                llvm::SmallVectorImpl<llvm::Loop *> &nests);

/* Returns a value that at run time is 1 when the nest with this hash (of NEST_BITS) is to count by runs and at sites,
 * and not by hooks: ompp_access_runs allows it, and the nest was not short too often in a row. */
llvm::Value *choose_runs(llvm::IRBuilder<> &builder, unsigned int hash, calls &ours);

/* Makes a second version of a nest, which keeps its hooks; the first one is to count by runs.  At run time
 * choose_runs() chooses.  The nest is in LCSSA form.  Dominators and loops must be recomputed.  Returns the header of
 * the second version.
 * over: the branch by which the nest switches to its second version at the end of an iteration of its outermost loop;
 * it is not taken until make_sites() sets its condition; NULL without pauses */
llvm::BasicBlock *double_nest(llvm::Loop *nest, unsigned int hash, const llvm::TargetLibraryInfo &library, calls &ours,
                              llvm::BranchInst **over);

/* Makes a second version of a loop in the same way; the first one is taken when ompp_access_ordered is not 0. */
llvm::BasicBlock *double_ordered(llvm::Loop *loop, calls &ours);

/* Splits each exit edge; code that counts on exits is put at the start of the new block. */
void split_exits(llvm::Loop *loop, llvm::DominatorTree &dominators, llvm::LoopInfo &loops);

/* Tells the library while the thread is in a quiet loop, as its runs are counted before or after it.  At the end the
 * previous state is restored, as a function called in a nest may have a nest itself. */
void tell_quiet(llvm::Loop *loop, calls &ours);

#endif
