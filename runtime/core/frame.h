/*
 * Frame: pushes and pops the innermost frame of a thread.
 */
#ifndef OMPP_CORE_FRAME_H
#define OMPP_CORE_FRAME_H

#include <stdint.h>

#include "runtime/base/check.h"
#include "runtime/core/course_charge.h"
#include "runtime/core/hot.h"
#include "runtime/core/region.h"
#include "runtime/core/thread.h"
#include "runtime/core/values.h"
#include "runtime/sources/source.h"
#include "runtime/span/span.h"
#include "runtime/terms/mode.h"

/* Finds the place of a node's own time on the longest path, and remembers it in the node.  COLD. */
uint32_t ompp_frame_find_place(struct ompp_callnode *node);

static inline uint32_t ompp_frame_place(struct ompp_callnode *node)
{
	return __builtin_expect(node->place != 0, 1) ? node->place : ompp_frame_find_place(node);
}

static inline int ompp_frame_is_on_path(void)
{
	return __builtin_expect(OMPP_LOAD(&ompp_modes) & OMPP_MODE_SPAN, 0);
}

/* A signal handler may come at each instruction of an event, and have events of its own.  So an event takes the
 * thread's part of the path while it changes that: meanwhile the events of handlers find none, and their tasks are
 * counted as lost.  Returns NULL where there is none, or an event that this one interrupts has it.  HOT. */
static inline __attribute__((always_inline)) struct ompp_span *ompp_frame_hide_span(struct ompp_thread *t)
{
	struct ompp_span *s = OMPP_LOAD(&t->span);

	OMPP_STORE(&t->span, NULL);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return s;
}

/* Gives it back, when it may be changed by others.  HOT: 2 instructions. */
static inline __attribute__((always_inline)) void ompp_frame_show_span(struct ompp_thread *t, const struct ompp_span *s)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	OMPP_STORE(&t->span, s->shown);
}

/* Ends the stretch of the thread's path that was at this node, where the longest path is looked for: in the caller's
 * code, for HOT functions that know that it is; and as a call. */
static inline __attribute__((always_inline)) void ompp_frame_end_stretch_inline(struct ompp_thread *t,
                                                                                struct ompp_callnode *node,
                                                                                uint64_t now)
{
	struct ompp_span *s = ompp_frame_hide_span(t);

	if (__builtin_expect(!s, 0))
		return;
	ompp_span_stretch(s, ompp_frame_place(node), now);
	ompp_frame_show_span(t, s);
}
void ompp_frame_end_stretch(struct ompp_thread *t, struct ompp_callnode *node, uint64_t now);

/* Takes the thread's part of the longest path as ompp_frame_hide_span() does; NULL when none is looked for. */
static inline struct ompp_span *ompp_frame_take_span(struct ompp_thread *t)
{
	return ompp_frame_is_on_path() ? ompp_frame_hide_span(t) : NULL;
}

/* The same for the end of an instance, or of a part of a team: NULL, too, where its begin is not on the path. */
static inline struct ompp_span *ompp_frame_take_span_of(struct ompp_thread *t, const struct ompp_frame *base)
{
	struct ompp_span *s;

	if (!ompp_frame_is_on_path() || base->flags & OMPP_FRAME_OFF_PATH)
		return NULL;
	s = ompp_frame_hide_span(t);
	if (__builtin_expect(!s && t->kept_span, 0))
		ompp_span_break(t->kept_span); /* the path still has what ends: it goes no further */
	return s;
}

/* Does what the path needs of an instance, or a part of a team, that begins while its part is taken.  COLD. */
void ompp_frame_begin_off_path(struct ompp_thread *t, struct ompp_frame *base, uint32_t n_tasks);

/* Does the same as ompp_frame_end_stretch() where it is not known whether a path is looked for. */
static inline void ompp_frame_stretch(struct ompp_thread *t, struct ompp_callnode *node, uint64_t now)
{
	if (ompp_frame_is_on_path())
		ompp_frame_end_stretch(t, node, now);
}

/* Makes the sums of a node's spans.  Returns NULL without memory.  COLD. */
struct ompp_span_sum *ompp_frame_make_span_sum(struct ompp_thread *t, struct ompp_callnode *node);

/* Returns the sums of a node's spans; NULL without memory. */
static inline struct ompp_span_sum *ompp_frame_span_sum(struct ompp_thread *t, struct ompp_callnode *node)
{
	return __builtin_expect(node->span != NULL, 1) ? node->span : ompp_frame_make_span_sum(t, node);
}

/* Finishes ompp_pop() for a frame that is folded, was entered while measuring was off, was already counted, or belongs
 * to a storm.  COLD. */
void ompp_pop_flagged(struct ompp_thread *t, struct ompp_frame *f, uint64_t elapsed);

/* Returns the time that other task instances ran inside so far. */
static inline uint64_t ompp_frame_others(const struct ompp_frame *f)
{
	return __builtin_expect(OMPP_LOAD(&f->flags) & OMPP_FRAME_UNTIMED, 0) ? 0 : OMPP_LOAD(&f->task_ticks);
}

/* Adds the time of a visit to its node. */
void ompp_frame_time(const struct ompp_thread *t, const struct ompp_frame *f, uint64_t elapsed);

/* Adds a visit to the durations of its node. */
static inline void ompp_frame_took(struct ompp_thread *t, const struct ompp_frame *f, uint64_t elapsed)
{
	uint64_t own_ticks = elapsed > f->task_ticks ? elapsed - f->task_ticks : 0;

	ompp_callgraph_took(&t->graph, f->node, own_ticks);
}

/* Starts timing a visit of a storm, as another region begins in it.  COLD. */
void ompp_frame_begin_late(struct ompp_frame *f);

/* Returns the flag of a visit of a storm's node that is timed outside of the sample; so is its body's.  COLD. */
uint32_t ompp_frame_beside(struct ompp_callnode *node);

/* Returns the time that was spent in the frame's node, up to now, without other task instances. */
static inline uint64_t ompp_frame_spent(const struct ompp_frame *f, uint64_t now)
{
	return f->node->ticks - f->node->task_ticks + (now - f->start_ticks) - f->task_ticks;
}

/* Does what is due before another frame becomes the innermost one. */
static inline void ompp_frame_leave_top(struct ompp_thread *t)
{
	if (__builtin_expect(OMPP_LOAD(&ompp_modes) & OMPP_MODE_BOUNDARIES, 0))
		ompp_thread_boundary(t);
	if (ompp_thread_is_sampled(t))
		ompp_hot_take(t);
}

/* Makes f the innermost frame, where that is done, so that accesses are counted at its node. */
static inline void ompp_frame_show(struct ompp_thread *t, struct ompp_frame *f)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	OMPP_STORE(&t->top, f);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	OMPP_STORE(&ompp_access_tally, OMPP_LOAD(&OMPP_LOAD(&f->node)->tally));
	if (__builtin_expect(OMPP_LOAD(&ompp_modes) & OMPP_MODE_EMULATED, 0))
		ompp_thread_entered(t);
}

static inline void ompp_set_top(struct ompp_thread *t, struct ompp_frame *f)
{
	ompp_frame_leave_top(t);
	ompp_frame_show(t, f);
}

/* A report reads top, and a frame's node, key, start, flags, instance and ticks, while the thread runs; so they are
 * written with relaxed stores. */

/* Pushes a frame for `node`, a child of `parent` that the tree returned.  The caller sets the start time, last. */
static inline struct ompp_frame *ompp_push(struct ompp_thread *t, const struct ompp_callnode *parent,
                                           struct ompp_callnode *node, uint64_t key, struct ompp_caller caller)
{
	struct ompp_frame *f = t->top + 1;

	if (__builtin_expect(OMPP_LOAD(&f[-1].flags) & OMPP_FRAME_UNTIMED, 0))
		ompp_frame_begin_late(f - 1);
	ompp_frame_leave_top(t);
	/* A signal handler's events use the frames above top.  So the frame is filled before it is there, for a handler
	 * that comes before the rest is set, and again after, for one that came before. */
	ompp_frame_set_node(f, node);
	OMPP_STORE(&f->flags, 0);
	OMPP_STORE(&f->key, key);
	f->stack = caller.stack;
	ompp_frame_show(t, f);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	ompp_frame_set_node(f, node);
	OMPP_STORE(&f->key, key);
	f->stack = caller.stack;
	OMPP_STORE(&f->instance, caller.site);
	OMPP_STORE(&f->task_ticks, 0);
	OMPP_STORE(&f->once_before, node->head->once_ticks);
	OMPP_STORE(&f->flags, __builtin_expect(node->parent != parent, 0) ? OMPP_FRAME_FOLDED
	                      : __builtin_expect(!node->look_at, 0)       ? ompp_frame_beside(node)
	                                                                  : 0u);
	if (__builtin_expect(ompp_metrics.n != 0, 0))
		ompp_values_enter(t, f);
	return f;
}

/* Returns 1 when the frame has once_before.  Forks, bases and barriers do not have it, as they are never nested in
 * themselves. */
static inline int ompp_frame_has_once(const struct ompp_frame *f)
{
	return !(OMPP_LOAD(&f->flags) & (OMPP_FRAME_TASK | OMPP_FRAME_TEAM | OMPP_FRAME_BARRIER)) &&
	       OMPP_KEY_PART(OMPP_LOAD(&f->key)) != OMPP_PART_FORK;
}

/* Returns 1 when this open frame was left without its exit, seen from an event at `caller`: its function has returned,
 * or the same instruction enters the same region again. (An inlined recursion enters from another copy of the
 * instruction.) */
static inline int ompp_frame_is_left(const struct ompp_frame *f, uint64_t key, struct ompp_caller caller)
{
	return f->stack < caller.stack || (f->stack == caller.stack && f->key == key && f->instance == caller.site &&
	                                   !(f->flags & (OMPP_FRAME_TASK | OMPP_FRAME_TEAM)));
}

/* Counts a visit, without time, of a frame that will not be popped where it was pushed.  COLD. */
void ompp_frame_visit(struct ompp_thread *t, struct ompp_frame *f);

/* Counts a visit of the frame's node that ends. */
static inline void ompp_frame_count(struct ompp_thread *t, struct ompp_frame *f, uint64_t elapsed)
{
	OMPP_ADD(&f->node->n, 1);
	ompp_frame_time(t, f, elapsed);
	if (__builtin_expect(ompp_metrics.n != 0, 0))
		ompp_values_exit(t, f); /* before what follows, which would be counted, too */
	ompp_frame_took(t, f, elapsed);
}

/* Adds the visit of the innermost frame, which ends, and its time to its node.  Returns the time.  The frame still is
 * the innermost one: what of it is needed later is taken before the one below is shown, as a handler uses its place
 * then. */
static inline uint64_t ompp_frame_end(struct ompp_thread *t, struct ompp_frame *f, uint64_t now)
{
	uint64_t elapsed = __builtin_expect(f->flags & OMPP_FRAME_UNTIMED, 0) ? 0 : now - f->start_ticks;

	ompp_assert(f == t->top && f > t->frames); /* the bottom is never popped */
	if (ompp_course_is_due(t, now))
		ompp_course_exit(t, now);
	if (__builtin_expect((int64_t)elapsed < 0, 0)) {
		elapsed = 0;
		OMPP_ADD(&t->n_negative, 1);
	}
	if (__builtin_expect(f->flags & (OMPP_FRAME_FOLDED | OMPP_FRAME_OFF | OMPP_FRAME_COUNTED | OMPP_FRAME_CHOSEN |
	                                 OMPP_FRAME_BESIDE | OMPP_FRAME_UNTIMED),
	                     0))
		ompp_pop_flagged(t, f, elapsed);
	else
		ompp_frame_count(t, f, elapsed);
	ompp_frame_stretch(t, f->node, now);
	ompp_frame_leave_top(t);
	return elapsed;
}

/* Does the same, and pops the frame. */
static inline uint64_t ompp_pop(struct ompp_thread *t, struct ompp_frame *f, uint64_t now)
{
	uint64_t elapsed = ompp_frame_end(t, f, now);

	ompp_frame_show(t, f - 1);
	return elapsed;
}

#endif
