/*
 * Span, stack: the records of the tasks and members that a thread is in, the innermost on top, and how one ends.
 */
#ifndef OMPP_SPAN_SPAN_STACK_H
#define OMPP_SPAN_SPAN_STACK_H

#include "runtime/span/span_pool.h"
#include "runtime/span/span_record.h"

/* Doubles the room.  Returns 0 without memory.  COLD. */
int ompp_span_more_room(struct ompp_span *s);

/* Puts a record on top; NULL for a task without one. */
static inline void ompp_span_push(struct ompp_span *s, struct ompp_span_task *task)
{
	if (__builtin_expect(s->n_over || (s->at == s->stack + s->room && !ompp_span_more_room(s)), 0)) {
		if (*s->at)
			(*s->at)->flags |= OMPP_SPAN_OTHER; /* what ends next is not what is on top */
		s->n_over++;
		s->n_lost++;
		return;
	}
	*++s->at = task;
}

/* Returns the task on top, which it takes off; NULL where there is none. */
static inline struct ompp_span_task *ompp_span_pop(struct ompp_span *s)
{
	if (__builtin_expect(s->n_over || s->at == s->stack, 0)) {
		s->n_over -= s->n_over != 0;
		return NULL;
	}
	return *s->at--;
}

/* Lets a task or member collect no more.  A child that ends meanwhile sees that, or what it handed over is found. */
void ompp_span_close(struct ompp_span *s, struct ompp_span_task *task);

/* Ends a task's record: its own reference becomes that of those to whom it is handed. */
static inline void ompp_span_settle(struct ompp_span_task *task)
{
	if (__builtin_expect(task->n_refs == 1 && !atomic_load_explicit(&task->n_shared, memory_order_acquire), 1))
		atomic_store_explicit(&task->n_shared, 1, memory_order_relaxed);
	else
		atomic_fetch_add_explicit(&task->n_shared, (int32_t)task->n_refs, memory_order_acq_rel);
}

/* Gives back a child's reference to its creator. */
static inline void ompp_span_leave_parent(struct ompp_span *s, struct ompp_span_task *parent)
{
	if (__builtin_expect(parent->runs_in == s, 1))
		parent->n_refs--;
	else
		ompp_span_unref(s, parent);
}

#endif
