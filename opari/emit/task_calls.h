/*
 * Task calls: what the clauses of a task tell the runtime: whether its creator waits for it, and for what it waits.
 *
 * The runtime needs both for the longest path alone (runtime/span/span.h).  An expression that may do something when it
 * is evaluated is not evaluated a second time; then the runtime learns that it is not known.
 */
#ifndef KINST_TASK_CALLS_H
#define KINST_TASK_CALLS_H

#include "opari/base/kinst_text.h"
#include "opari/read/directive.h"

/* Adds the argument of the call that creates a task: 1 if it is deferred, 2 if its descendants are not, and 4 for a
 * taskloop that does not wait for its tasks (enum ompp_task_clauses). */
void kinst_task_flags(const struct kinst_directive *directive, struct kinst_text *out);

/* Adds a call for each item of the depend clauses, and one for all that are not known. */
void kinst_task_depends(const struct kinst_directive *directive, int cxx, struct kinst_text *out);

#endif
