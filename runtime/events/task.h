/*
 * Task: the execution of task instances, tied and untied.  Creating tasks and waiting for them are plain regions
 * (adapters).
 */
#ifndef OMPP_EVENTS_TASK_H
#define OMPP_EVENTS_TASK_H

#include <stdint.h>

#include "runtime/core/region.h"
#include "runtime/core/thread.h"

/* Begin and end a task instance on this thread.
 * created: what ompp_task_create() returned for it, 0 where that is not known */
void ompp_task_begin(const struct ompp_region_def *def, int untied, int64_t created, struct ompp_caller caller);
void ompp_task_end(const struct ompp_region_def *def);

/* Where the longest path is looked for (span/span.h), and else nothing: the parts of a creation and of a wait that a
 * plain region has not.  Each is called behind the region's enter, or its exit.
 *
 * The creation returns what the task's begin needs.  OMPP_TASK_ITERATION: a begin that ompp_task_iterate() finishes. */
enum ompp_task_clauses {
	OMPP_TASK_IF = 1,
	OMPP_TASK_FINAL = 2,
	OMPP_TASK_NOGROUP = 4
}; /* the values of these clauses */
enum { OMPP_TASK_ITERATION = 1 };
int64_t ompp_task_create(const struct ompp_region_def *def, int clauses);
void ompp_task_depend(int64_t created, int kind, const void *address);
void ompp_task_created(const struct ompp_region_def *def);
void ompp_task_wait_end(const struct ompp_region_def *def);

/* A taskgroup begins; its body ends, and its waiting begins; and that ends, before the exit of its region. */
void ompp_task_group_begin(void);
void ompp_task_group_ends(void);
void ompp_task_group_left(void);

/* Begins an iteration of a taskloop.
 * created: what ompp_task_create() returned for the taskloop
 * chunk: a word of the task, 0 at its first iteration */
void ompp_task_iterate(const struct ompp_region_def *def, int64_t created, int64_t *chunk, struct ompp_caller caller);

/* Handles an event whose instance is not the running one.  Either an untied instance was resumed here, and its frames
 * move to this thread; or a tied one (0) continues, and the untied ones above it are suspended. */
void ompp_task_resume(uint64_t instance, struct ompp_caller caller);

#endif
