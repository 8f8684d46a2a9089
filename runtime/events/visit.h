/*
 * Visit: the fast path for events of regions and tasks: the thread is started, measuring is on, the node is cached in
 * its parent, and frames end in order.
 *
 * All of that is tested first.  Unusual events take the slow path (enter.h, task.c) through a tail call, so these
 * functions need no stack frame.
 */
#ifndef OMPP_EVENTS_VISIT_H
#define OMPP_EVENTS_VISIT_H

#include "runtime/core/callgraph.h"
#include "runtime/core/frame.h"
#include "runtime/host/clock.h"
#include "runtime/terms/mode.h"

/* Do the same as ompp_enter() and ompp_exit().  HOT. */
struct ompp_frame *ompp_visit_enter(uint64_t key, struct ompp_caller caller);
void ompp_visit_exit(uint64_t key);
void ompp_visit_exit_at(uint64_t key, uint64_t now);

/* Do the same for a region and a part of it that begin, or end, at the same moment: the clock is read once.  The first
 * returns the region's frame.  HOT. */
struct ompp_frame *ompp_visit_enter_both(uint64_t outer, uint64_t inner, struct ompp_caller caller);
void ompp_visit_exit_both(uint64_t outer, uint64_t inner);

/* Do the same as ompp_visit_enter() and ompp_visit_exit() where the longest path is looked for, in fewer instructions.
 */
struct ompp_frame *ompp_visit_enter_on_path(uint64_t key, struct ompp_caller caller);
void ompp_visit_exit_on_path(uint64_t key);

/* Ends the stretch before a region's frame, which is on top, and the slice of the course if that is due.  COLD. */
struct ompp_frame *ompp_visit_enter_stretch(struct ompp_frame *f);

/* Does the same as ompp_visit_enter() for the body of a construct that lets in one thread at a time, in which this one
 * is.  The time from the construct's enter to here, its lead time, is waiting. */
static inline void ompp_visit_enter_body(uint64_t key, struct ompp_caller caller)
{
	struct ompp_frame *f = ompp_visit_enter(key, caller);

	if (f && !(f->flags & ~(uint32_t)(OMPP_FRAME_CHOSEN | OMPP_FRAME_BESIDE)) &&
	    (int64_t)(f->start_ticks - f[-1].start_ticks) > 0)
		OMPP_ADD(&f->node->lead_ticks, f->start_ticks - f[-1].start_ticks);
}

/* Counts a visit that takes nothing, without a reading of the clock. */
void ompp_visit_count(uint64_t key, struct ompp_caller caller);

/* Looks at the times of a node below the frame on top, whether they are a storm (core/storm.h).  COLD. */
void ompp_visit_look(struct ompp_thread *t, struct ompp_callnode *node);

/* Fills the frame on top, which was just pushed, once more, and reads the clock.  COLD. */
struct ompp_frame *ompp_visit_refill(struct ompp_frame *f, struct ompp_callnode *node, uint64_t key,
                                     struct ompp_caller caller, uint32_t flags);

/* Fills in the frame f for a true child of its parent's node, but for the time when it starts. */
static inline void ompp_visit_fill(struct ompp_frame *f, struct ompp_callnode *node, uint64_t key,
                                   struct ompp_caller caller, uint32_t flags)
{
	/* A signal handler that runs before f is on top uses f, too, but has another stack pointer.  So the stack
	 * pointer is the first field to be set. */
	OMPP_STORE(&f->stack, caller.stack);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	ompp_frame_set_node(f, node);
	OMPP_STORE(&f->key, key);
	OMPP_STORE(&f->instance, caller.site);
	OMPP_STORE(&f->task_ticks, 0);
	/* in a task's frame this is suspended_ticks */
	OMPP_STORE(&f->once_before, flags & OMPP_FRAME_TASK ? 0 : node->head->once_ticks);
	OMPP_STORE(&f->flags, flags);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* Makes the frame f, which was just filled in, the one on top. */
static inline void ompp_visit_show(struct ompp_thread *t, struct ompp_frame *f, const struct ompp_callnode *node)
{
	OMPP_STORE(&t->top, f);
	OMPP_STORE(&ompp_access_tally, OMPP_LOAD(&node->tally));
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* Pushes the frame f for a true child of its parent's node, and starts its time.
 * by_other: the clock may be another one than the processor's counter (OMPP_MODE_CLOCK) */
static inline __attribute__((always_inline)) struct ompp_frame *ompp_visit_push(struct ompp_thread *t,
                                                                                struct ompp_frame *f,
                                                                                struct ompp_callnode *node,
                                                                                uint64_t key, struct ompp_caller caller,
                                                                                uint32_t flags, int by_other)
{
	uint64_t now;

	ompp_visit_fill(f, node, key, caller, flags);
	ompp_visit_show(t, f, node);
	if (__builtin_expect(OMPP_LOAD(&f->stack) != caller.stack, 0) || by_other)
		return ompp_visit_refill(f, node, key, caller, flags);
	now = ompp_clock_tsc();
	OMPP_STORE(&f->start_ticks, now);
	return ompp_course_is_due(t, now) ? ompp_course_enter(t, f) : f;
}

/* Adds a visit and its time to a node. */
static inline void ompp_visit_ended(struct ompp_callnode *node, uint64_t ticks)
{
	OMPP_ADD(&node->n, 1);
	OMPP_ADD(&node->ticks, ticks);
}

/* Makes the frame below f the one on top. */
static inline void ompp_visit_hide(struct ompp_thread *t, struct ompp_frame *f)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	OMPP_STORE(&t->top, f - 1);
	OMPP_STORE(&ompp_access_tally, OMPP_LOAD(&f[-1].node->tally));
}

/* Pops the frame on top, whose visit is counted, and adds what it took to its node's durations.  COLD. */
void ompp_visit_took(struct ompp_thread *t, struct ompp_frame *f, uint64_t own_ticks);

/* Pops the frame on top, and adds its visit and its time to its node; task_ticks of that time belong to other
 * instances: they may be more than all of it where an instance went on in a signal handler or in another thread.
 * Events call this last: what it calls needs no register of theirs any more. */
static inline __attribute__((always_inline)) void ompp_visit_pop(struct ompp_thread *t, struct ompp_frame *f,
                                                                 uint64_t ticks, uint64_t task_ticks)
{
	uint64_t own_ticks = ticks;

	if (task_ticks) {
		OMPP_ADD(&f->node->task_ticks, task_ticks);
		own_ticks = ticks > task_ticks ? ticks - task_ticks : 0;
	}
	ompp_visit_ended(f->node, ticks);
	if (__builtin_expect(ompp_callgraph_took_usual(f->node, own_ticks), 1))
		ompp_visit_hide(t, f);
	else
		ompp_visit_took(t, f, own_ticks);
}

#endif
