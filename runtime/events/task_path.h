/*
 * Task, path: the events around tasks where the longest path is looked for: a region's enter or exit and what the path
 * needs at it, at once.
 */
#ifndef OMPP_EVENTS_TASK_PATH_H
#define OMPP_EVENTS_TASK_PATH_H

#include "runtime/events/task.h"

/* Do the same as ompp_visit_enter() or ompp_visit_exit() of a region that is measured, and then ompp_task_create(),
 * whose result becomes *created, ompp_task_created(), or ompp_task_wait_end().  HOT. */
void ompp_task_create_on_path(const struct ompp_region_def *def, int64_t *created, int clauses, uintptr_t stack,
                              uintptr_t site);
void ompp_task_created_on_path(const struct ompp_region_def *def);
void ompp_task_waited_on_path(const struct ompp_region_def *def);

#endif
