/*
 * Task: the execution of task instances, tied and untied.  Creating tasks and waiting for them are plain regions
 * (adapters).
 */
#ifndef OMPP_EVENTS_TASK_H
#define OMPP_EVENTS_TASK_H

#include <stdint.h>

#include "runtime/core/region.h"
#include "runtime/core/thread.h"

/* Begin and end a task instance on this thread. */
void ompp_task_begin(const struct ompp_region_def *def, int untied, struct ompp_caller caller);
void ompp_task_end(const struct ompp_region_def *def);

/* Handles an event whose instance is not the running one.  Either an untied instance was resumed here, and its frames
 * move to this thread; or a tied one (0) continues, and the untied ones above it are suspended. */
void ompp_task_resume(uint64_t instance, struct ompp_caller caller);

#endif
