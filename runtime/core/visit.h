/*
 * Visit: the events of a region and of a task as they mostly are: the thread is known, measuring is on, the node is where
 * it was the last time, and frames end in order.
 *
 * All of that is tested first, and what is unusual goes the long way (thread.h, task.c), by a call at the end: so these
 * functions need no room on the stack.
 */
#ifndef OMPP_CORE_VISIT_H
#define OMPP_CORE_VISIT_H

#include "runtime/base/mode.h"
#include "runtime/core/thread.h"

/* HOT.  As ompp_enter() and ompp_exit(). */
struct ompp_frame *ompp_visit_enter(uint64_t key, struct ompp_where where);
void ompp_visit_exit(uint64_t key);
void ompp_visit_exit_at(uint64_t key, uint64_t now);

/* COLD.  Fill the frame on top, which was just pushed, anew, and read the clock. */
struct ompp_frame *ompp_visit_refill(struct ompp_frame *f, struct ompp_callnode *node, uint64_t key,
                                     struct ompp_where where, uint32_t flags);

/* Push the frame f for a true child of its parent's node, and start its time. */
static inline struct ompp_frame *ompp_visit_push(struct ompp_thread *t, struct ompp_frame *f, struct ompp_callnode *node,
                                                 uint64_t key, struct ompp_where where, uint32_t flags)
{
	/* A signal handler that comes before f is on top uses it, too, and has another stack pointer: so that is the first
	 * field to be set. */
	OMPP_STORE(&f->stack, where.stack);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	OMPP_STORE(&f->node, node);
	OMPP_STORE(&f->key, key);
	OMPP_STORE(&f->instance, where.site);
	OMPP_STORE(&f->task_ticks, 0);
	OMPP_STORE(&f->once_before, flags ? 0 : node->head->once_ticks);    /* suspended_ticks of a task */
	OMPP_STORE(&f->flags, flags);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	OMPP_STORE(&t->top, f);
	OMPP_STORE(&ompp_access_tally, OMPP_LOAD(&node->tally));
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (__builtin_expect(OMPP_LOAD(&f->stack) != where.stack, 0) || __builtin_expect(!__atomic_load_n(&ompp_clock_is_plain, __ATOMIC_RELAXED), 0))
		return ompp_visit_refill(f, node, key, where, flags);
	OMPP_STORE(&f->start_ticks, ompp_clock_tsc());
	return f;
}

/* Is the frame on top the one that `key` ends, with these flags, and did no clock run backwards? */
static inline int ompp_visit_is(const struct ompp_frame *f, uint64_t key, uint32_t flags, uint64_t now)
{
	return __builtin_expect(f->key == key, 1) && __builtin_expect(f->flags == flags, 1) &&
	       __builtin_expect((int64_t)(now - f->start_ticks) >= 0, 1);
}

/* Take the frame on top off: its visit goes to its node, with a time, of which other instances took task_ticks. */
static inline void ompp_visit_pop(struct ompp_thread *t, struct ompp_frame *f, uint64_t ticks, uint64_t task_ticks)
{
	struct ompp_callnode *node = f->node;

	OMPP_ADD(&node->n, 1);
	OMPP_ADD(&node->ticks, ticks);
	if (task_ticks)
		OMPP_ADD(&node->task_ticks, task_ticks);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	OMPP_STORE(&t->top, f - 1);
	OMPP_STORE(&ompp_access_tally, OMPP_LOAD(&f[-1].node->tally));
}

#endif
