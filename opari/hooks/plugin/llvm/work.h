/*
 * Work: counts the operations that the code of a function executes, as LLVM has them before it makes vectors of loops.
 *
 * Operations are counted by block, and not one by one: where control may leave to a region's event, as at a call that
 * is not known, the operations of the block up to it are added to the thread's ompp_work.  In loops without such calls
 * the executions of blocks are counted in variables, and their operations are added on the exits; LLVM computes most of
 * these variables without the loop (IndVarSimplify).  Blocks of a loop that are executed equally often share one
 * variable.
 *
 * What only computes addresses is no operation.
 */
#ifndef KINST_PLUGIN_WORK_H
#define KINST_PLUGIN_WORK_H

#include "calls.h"

/* Counts the operations of a function.  Analyses must be computed anew. */
void count_work(llvm::Function &function, llvm::FunctionAnalysisManager &analyses, calls &ours);

#endif
