/*
 * Span record: the references to the records of tasks, and their lengths.
 */
#ifndef OMPP_SPAN_SPAN_RECORD_H
#define OMPP_SPAN_SPAN_RECORD_H

#include <stdatomic.h>

#include "runtime/span/span_pool.h"

static inline uint64_t ompp_span_burdened(const struct ompp_span_task *task)
{
	return task->path.ticks + task->burden_ticks;
}

static inline uint64_t ompp_span_fixed(const struct ompp_span_task *task)
{
	return task->path.ticks - task->loose_ticks;
}

/* Gives a reference back that is counted in n_shared.  The last one needs no atomic subtraction: nobody else is left
 * who could make another. */
static inline void ompp_span_unref(struct ompp_span *s, struct ompp_span_task *task)
{
	if (atomic_load_explicit(&task->n_shared, memory_order_acquire) == 1 ||
	    atomic_fetch_sub_explicit(&task->n_shared, 1, memory_order_acq_rel) == 1)
		ompp_span_pool_give(s, task);
}

/* Fills a new record that begins with the path of another one and is no usual task's.  The caller sets the creator,
 * and the groups where there are any. */
static inline void ompp_span_start(struct ompp_span_task *task, const struct ompp_span_task *from, uint64_t now)
{
	ompp_longest_copy(&task->path, &from->path);
	task->strand_ticks = from->path.ticks;
	task->burden_ticks = from->burden_ticks;
	task->loose_ticks = from->loose_ticks;
	task->runs_in = NULL;
	task->ready_ticks = now;
	task->flags = OMPP_SPAN_OTHER;
}

/* Returns a copy of a task's path, with one reference; NULL without memory. */
static inline struct ompp_span_task *ompp_span_snapshot(struct ompp_span *s, const struct ompp_span_task *task)
{
	struct ompp_span_task *copy = ompp_span_pool_take(s);

	if (!copy)
		return NULL;
	ompp_span_start(copy, task, task->ready_ticks);
	copy->parent = NULL;
	atomic_store_explicit(&copy->n_shared, 1, memory_order_relaxed);
	return copy;
}

#endif
