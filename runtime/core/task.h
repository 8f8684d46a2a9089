/*
 * Task: the execution of task instances, tied and untied.  Creation and taskwait are plain regions (adapters).
 *
 * An instance is a segment of its thread's frame stack; see thread.h and task.c.
 */
#ifndef OMPP_CORE_TASK_H
#define OMPP_CORE_TASK_H

#include <stdint.h>

#include "runtime/core/thread.h"

/* A task instance begins and ends on this thread. */
void ompp_task_begin(const struct ompp_region_def *def, int untied, struct ompp_where where);
void ompp_task_end(const struct ompp_region_def *def);

/* At an event that says which instance goes on: if it is another than the running one, an untied instance was
 * resumed here, and its frames come to this thread. */
void ompp_task_resume(uint64_t instance, struct ompp_where where);

/* Innermost segments that went on elsewhere: charge their time up to the suspension, and drop them. */
void ompp_task_drop_moved(struct ompp_thread *t);

#endif
