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

/* Makes a second version of a loop with those inside it, which keeps its hooks.  At run time the first one is taken
 * when the flag to which the variable points is not 0, which is `likely` or not.  The loop is in LCSSA form. Dominators
 * and loops have to be found again.  Returns the header of the second version. */
llvm::BasicBlock *double_loop(llvm::Loop *loop, llvm::GlobalVariable *variable, bool likely);

#endif
