/*
 * Work: counts the operations that the code of a function executes, as GCC has them before it makes vectors of loops.
 *
 * Operations are counted by block, and not one by one: where control may leave to a region's event, as at a call that
 * is not known, the operations of the block up to it are added to the thread's ompp_work.  In quiet loops (nest.h) the
 * executions of blocks are counted in variables, and their operations are added on the exits; GCC computes most of
 * these variables without the loop (its pass sccp).  Blocks of a loop that are executed equally often share one
 * variable.
 *
 * What only computes addresses is no operation.
 */
#ifndef KINST_PLUGIN_WORK_H
#define KINST_PLUGIN_WORK_H

#include "gcc.h"

/* Counts the operations of a function.  Loops are known, and have preheaders. */
void count_work(function *function);

#endif
