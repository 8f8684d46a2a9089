/*
 * Span pool: the memory of the records of live tasks.
 *
 * Each thread takes records from memory of its own, and gives those of other threads back to them, so that a thread
 * that creates tasks for others does not use ever more memory.  No lock, and no system call but for 256 further
 * records.
 */
#ifndef OMPP_SPAN_SPAN_POOL_H
#define OMPP_SPAN_SPAN_POOL_H

#include <stdatomic.h>

#include "runtime/span/span.h"

/* Takes records from memory that others gave back, or from new memory; NULL without any.  COLD. */
struct ompp_span_task *ompp_span_pool_more(struct ompp_span *s);

/* Gives a record back to the thread from whose memory it is. */
void ompp_span_pool_return(struct ompp_span_task *task);

/* Makes a join without others what it was before the first of them. */
static inline void ompp_span_join_clear(struct ompp_span_join *join)
{
	atomic_store_explicit(&join->ticks, 0, memory_order_relaxed);
	atomic_store_explicit(&join->burdened_ticks, 0, memory_order_relaxed);
	atomic_store_explicit(&join->fixed_ticks, 0, memory_order_relaxed);
	atomic_store_explicit(&join->end_ticks, 0, memory_order_relaxed);
}

/* Returns a record that has no flags, groups, items, addresses or chunk, is not closed, and has one reference of its
 * own, no number, and nothing in its join; the rest is undefined.  NULL without memory.  HOT. */
static inline struct ompp_span_task *ompp_span_pool_take(struct ompp_span *s)
{
	struct ompp_span_task *task = s->free;

	if (__builtin_expect(!task, 0))
		return ompp_span_pool_more(s);
	s->free = task->next;
	return task;
}

/* Makes a record, whose join holds nobody, what a free one is. */
static inline void ompp_span_pool_clean(struct ompp_span_task *task)
{
	if (__builtin_expect(task->flags != 0, 0)) {
		task->items = NULL;
		task->addresses = NULL;
		task->chunk = NULL;
		task->group = task->groups = NULL;
		atomic_store_explicit(&task->is_closed, 0, memory_order_relaxed);
		task->flags = 0;
	}
	task->n_refs = 1;
	atomic_store_explicit(&task->n_shared, 0, memory_order_relaxed);
	atomic_store_explicit(&task->number, 0, memory_order_relaxed);
	atomic_store_explicit(&task->has_long_kids, 0, memory_order_relaxed);
	if (__builtin_expect(atomic_load_explicit(&task->kids.end_ticks, memory_order_relaxed) != 0, 0))
		ompp_span_join_clear(&task->kids);
}

/* Frees a record of this thread's memory that is what a free one is, but for its number.  HOT. */
static inline void ompp_span_pool_give_plain(struct ompp_span *s, struct ompp_span_task *task)
{
	if (__builtin_expect(atomic_load_explicit(&task->number, memory_order_relaxed) != 0, 0))
		atomic_store_explicit(&task->number, 0, memory_order_relaxed);
	task->next = s->free;
	s->free = task;
}

/* Frees a record, whose join holds nobody.  HOT. */
static inline void ompp_span_pool_give(struct ompp_span *s, struct ompp_span_task *task)
{
	ompp_span_pool_clean(task);
	if (__builtin_expect(task->home != s, 0)) {
		ompp_span_pool_return(task);
		return;
	}
	task->next = s->free;
	s->free = task;
}

#endif
