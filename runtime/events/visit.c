/*
 * Visit: see visit.h.
 */
#include "runtime/events/visit.h"

#include "runtime/base/check.h"
#include "runtime/base/geometric.h"
#include "runtime/core/session.h"
#include "runtime/core/storm.h"
#include "runtime/core/thread.h"
#include "runtime/events/enter.h"
#include "runtime/events/visit_usual.h"
#include "runtime/sources/sampling.h"

struct ompp_frame *ompp_visit_refill(struct ompp_frame *f, struct ompp_callnode *node, uint64_t key,
                                     struct ompp_caller caller, uint32_t flags)
{
	ompp_frame_set_node(f, node);
	OMPP_STORE(&f->key, key);
	f->stack = caller.stack;
	OMPP_STORE(&f->instance, caller.site);
	OMPP_STORE(&f->task_ticks, 0);
	OMPP_STORE(&f->once_before, flags & OMPP_FRAME_TASK ? 0 : node->head->once_ticks);
	OMPP_STORE(&f->flags, flags);
	OMPP_STORE(&f->start_ticks, ompp_clock());
	return ompp_course_is_due(ompp_self, f->start_ticks) ? ompp_course_enter(ompp_self, f) : f;
}

void ompp_visit_took(struct ompp_thread *t, struct ompp_frame *f, uint64_t own_ticks)
{
	ompp_callgraph_took(&t->graph, f->node, own_ticks);
	ompp_visit_hide(t, f);
}

static __attribute__((noinline, cold)) struct ompp_frame *enter_long(uint64_t key, struct ompp_caller caller)
{
	return ompp_enter(key, caller);
}

/* ---- storms ---- */

void ompp_visit_look(struct ompp_thread *t, struct ompp_callnode *node)
{
	ompp_storm_look(&t->graph, node, ompp_random_seed(ompp_sampling.seed) + t->slot,
	                ompp_frame_spent(t->top, ompp_clock()));
}

/* Lets accesses be counted at the node instead of the node of the frame below, or the reverse. */
static inline void turn_tally(const struct ompp_callnode *from, const struct ompp_callnode *to)
{
	struct ompp_tally *tally = OMPP_LOAD(&to->tally);

	if (__builtin_expect(tally != OMPP_LOAD(&from->tally), 0))
		OMPP_STORE(&ompp_access_tally, tally);
}

/* Fills in the rest of an untimed frame, whose stack pointer is set already. */
static inline void fill_untimed(struct ompp_frame *f, struct ompp_callnode *node, uint64_t key, uint64_t site)
{
	ompp_frame_set_node(f, node);
	OMPP_STORE(&f->key, key);
	OMPP_STORE(&f->instance, site);
	OMPP_STORE(&f->flags, OMPP_FRAME_UNTIMED);
}

static __attribute__((noinline, cold)) void refill_untimed(struct ompp_frame *f, struct ompp_callnode *node,
                                                           uint64_t key, struct ompp_caller caller)
{
	f->stack = caller.stack;
	fill_untimed(f, node, key, caller.site);
}

/* Pushes a frame as ompp_visit_push() does, but without a reading of the clock, and with as few stores as can be: an
 * atomic operation waits for all of them. */
static inline struct ompp_frame *push_untimed(struct ompp_thread *t, struct ompp_frame *f, struct ompp_callnode *node,
                                              uint64_t key, struct ompp_caller caller)
{
	OMPP_STORE(&f->stack, caller.stack);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	fill_untimed(f, node, key, caller.site);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	OMPP_STORE(&t->top, f);
	turn_tally(f[-1].node, node);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (__builtin_expect(OMPP_LOAD(&f->stack) != caller.stack, 0))
		refill_untimed(f, node, key, caller);
	return f;
}

/* Times a visit without adding it to its storm's sample: untied instances may be suspended at any event, and then the
 * time of each frame must be known. */
static __attribute__((noinline, cold)) struct ompp_frame *enter_and_look(struct ompp_thread *t,
                                                                         struct ompp_callnode *node, uint64_t key,
                                                                         struct ompp_caller caller)
{
	if (node->n >= OMPP_LOAD(&node->look_at) && OMPP_LOAD(&node->look_at))
		ompp_visit_look(t, node);
	return ompp_visit_push(t, t->top + 1, node, key, caller,
	                       OMPP_LOAD(&node->look_at) ? 0 : ompp_frame_beside(node), ompp_clock_is_other());
}

/* Enters a node that needs more than counting: a timed visit of a storm, or a region inside a visit that was not
 * timed so far. */
static __attribute__((noinline)) struct ompp_frame *enter_timed(struct ompp_thread *t, struct ompp_callnode *node,
                                                                uint64_t key, struct ompp_caller caller)
{
	if (OMPP_LOAD(&t->top->flags) & OMPP_FRAME_UNTIMED)
		ompp_frame_begin_late(t->top);
	if (OMPP_LOAD(&node->look_at) || ompp_thread_instance(t))
		return enter_and_look(t, node, key, caller);
	return ompp_visit_push(t, t->top + 1, node, key, caller, OMPP_FRAME_CHOSEN, ompp_clock_is_other());
}

/* ---- events ---- */

/* Enters a region where storms may be. */
static inline __attribute__((always_inline)) struct ompp_frame *enter_in_storms(struct ompp_thread *t,
                                                                                struct ompp_callnode *node,
                                                                                uint64_t key, struct ompp_caller caller)
{
	if (node->n < OMPP_LOAD(&node->timed_at) && !ompp_thread_instance(t))
		return push_untimed(t, t->top + 1, node, key, caller);
	if (node->n < OMPP_LOAD(&node->look_at) && !(OMPP_LOAD(&t->top->flags) & OMPP_FRAME_UNTIMED))
		return ompp_visit_push(t, t->top + 1, node, key, caller, 0, ompp_clock_is_other());
	return enter_timed(t, node, key, caller);
}

struct ompp_frame *ompp_visit_enter_stretch(struct ompp_frame *f)
{
	struct ompp_thread *t = ompp_self;
	uint64_t now = f->start_ticks;

	if (ompp_course_is_due(t, now))
		f = ompp_course_enter(t, f);
	ompp_frame_end_stretch(t, f[-1].node, now);
	return f;
}

static __attribute__((noinline, cold)) struct ompp_frame *refill_on_path(struct ompp_frame *f,
                                                                         struct ompp_callnode *node, uint64_t key,
                                                                         struct ompp_caller caller)
{
	return ompp_visit_enter_stretch(ompp_visit_refill(f, node, key, caller, 0));
}

/* All that is unusual is a tail call, so that no registers are kept for it. */
struct ompp_frame *ompp_visit_enter_on_path(uint64_t key, struct ompp_caller caller)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_callnode *node = t->span && OMPP_LOAD(&ompp_modes) == OMPP_MODE_SPAN
	                                   ? ompp_visit_usual_node(t, key, caller)
	                                   : NULL;
	struct ompp_frame *f = t->top + 1;
	struct ompp_span *s;
	uint32_t place;
	uint64_t now;

	if (__builtin_expect(!node, 0))
		return enter_long(key, caller);
	ompp_visit_fill(f, node, key, caller, 0);
	ompp_visit_show(t, f, node);
	if (__builtin_expect(OMPP_LOAD(&f->stack) != caller.stack, 0))
		return refill_on_path(f, node, key, caller);
	s = ompp_frame_hide_span(t);
	now = ompp_clock_tsc();
	OMPP_STORE(&f->start_ticks, now);
	place = f[-1].node->place;   /* 0 where the node got this child by a call of a lock that was only counted */
	if (__builtin_expect(!s, 0)) /* a handler that came in between has taken it for good */
		return ompp_visit_enter_stretch(f);
	if (ompp_course_is_due(t, now) || __builtin_expect(!place, 0) ||
	    __builtin_expect(!ompp_span_stretch_usual(s, place, now), 0)) {
		ompp_frame_show_span(t, s);
		return ompp_visit_enter_stretch(f);
	}
	ompp_frame_show_span(t, s);
	return f;
}

static __attribute__((noinline)) struct ompp_frame *enter_in_modes(uint64_t key, struct ompp_caller caller,
                                                                   uint32_t modes)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_callnode *node;

	if (modes == OMPP_MODE_SPAN)
		return ompp_visit_enter_on_path(key, caller);
	node = modes & ~(uint32_t)(OMPP_MODE_STORMS | OMPP_MODE_CLOCK) ? NULL : ompp_visit_usual_node(t, key, caller);
	if (__builtin_expect(!node, 0))
		return enter_long(key, caller);
	return modes & OMPP_MODE_STORMS ? enter_in_storms(t, node, key, caller)
	                                : ompp_visit_push(t, t->top + 1, node, key, caller, 0, 1);
}

/* Extra work is tested for first, so that storms pay nothing where there is none. */
struct ompp_frame *ompp_visit_enter(uint64_t key, struct ompp_caller caller)
{
	struct ompp_thread *t = ompp_self;
	uint32_t modes = OMPP_LOAD(&ompp_modes);
	struct ompp_callnode *node;

	if (__builtin_expect(modes != 0, 0))
		return enter_in_modes(key, caller, modes);
	node = ompp_visit_usual_node(t, key, caller);
	return node ? ompp_visit_push(t, t->top + 1, node, key, caller, 0, 0) : enter_long(key, caller);
}

static __attribute__((noinline)) struct ompp_frame *enter_each(uint64_t outer, uint64_t inner,
                                                               struct ompp_caller caller)
{
	struct ompp_frame *f = ompp_visit_enter(outer, caller);

	ompp_visit_enter(inner, caller);
	return f;
}

/* Fills the two frames on top, which were just pushed, once more, and reads the clock for each. */
static __attribute__((noinline, cold)) struct ompp_frame *refill_both(struct ompp_frame *f, uint64_t outer,
                                                                      struct ompp_callnode *node, uint64_t inner,
                                                                      struct ompp_callnode *below,
                                                                      struct ompp_caller caller)
{
	ompp_visit_refill(f, node, outer, caller, 0);
	ompp_visit_refill(f + 1, below, inner, caller, 0);
	return f;
}

struct ompp_frame *ompp_visit_enter_both(uint64_t outer, uint64_t inner, struct ompp_caller caller)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_callnode *node = OMPP_LOAD(&ompp_modes) ? NULL : ompp_visit_usual_node(t, outer, caller);
	struct ompp_frame *f = t->top + 1;
	struct ompp_callnode *below = node && f < t->limit ? ompp_callnode_child(node, inner) : NULL;
	uint64_t now;

	if (__builtin_expect(!below, 0))
		return enter_each(outer, inner, caller);
	ompp_visit_fill(f, node, outer, caller, 0);
	ompp_visit_fill(f + 1, below, inner, caller, 0);
	ompp_visit_show(t, f + 1, below);
	if (__builtin_expect(OMPP_LOAD(&f->stack) != caller.stack, 0)) /* who uses f + 1 has used f before */
		return refill_both(f, outer, node, inner, below, caller);
	now = ompp_clock_tsc();
	OMPP_STORE(&f->start_ticks, now);
	OMPP_STORE(&f[1].start_ticks, now);
	return ompp_course_is_due(t, now) ? ompp_course_enter(t, f) : f;
}

static __attribute__((noinline, cold)) void exit_long(uint64_t key, uint64_t now)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_frame *f = t->top;

	if (f->key != key) {
		ompp_exit_cold(t, key, now);
		return;
	}
	OMPP_ADD(&f[-1].task_ticks, ompp_frame_others(f));
	ompp_pop(t, f, now);
}

/* Ends the visit on top.
 * is_seen: the caller has seen that it has no flags, and that no mode is unusual
 * is_on_path: the longest path is looked for */
static inline __attribute__((always_inline)) void exit_by(uint64_t key, uint64_t now, int is_seen, int is_on_path)
{
	if (__builtin_expect(!ompp_visit_exit_usual(ompp_self, key, now, is_seen, is_on_path, NULL, NULL), 0))
		exit_long(key, now);
}

static __attribute__((noinline)) void exit_on_path(uint64_t key, uint64_t now)
{
	exit_by(key, now, 0, 1);
}

void ompp_visit_exit_at(uint64_t key, uint64_t now)
{
	if (ompp_frame_is_on_path())
		exit_on_path(key, now);
	else
		exit_by(key, now, 0, 0);
}

static __attribute__((noinline, cold)) void exit_in_modes(uint64_t key)
{
	ompp_visit_exit_at(key, ompp_clock());
}

/* Pops an untimed frame. */
static inline void pop_untimed(struct ompp_thread *t, struct ompp_frame *f)
{
	struct ompp_callnode *node = f->node;

	/* This is the same as in ompp_frame_time(), for what such a visit takes. */
	if (t->base->flags & OMPP_FRAME_TASK && !node->same)
		OMPP_ADD(&node->head->once_ticks, node->storm->typical_ticks);
	ompp_assert(f == t->top && f > t->base && node->storm);
	OMPP_ADD(&node->n, 1);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	OMPP_STORE(&t->top, f - 1);
	turn_tally(node, f[-1].node);
}

static __attribute__((noinline, cold)) void exit_flagged_long(uint64_t key)
{
	exit_long(key, ompp_clock());
}

/* Ends a visit that has flags.  This comes before the clock is read, as most visits of a storm need no reading. */
static inline void exit_flagged(uint64_t key)
{
	struct ompp_frame *f = ompp_self->top;

	if (__builtin_expect(f->flags == OMPP_FRAME_UNTIMED, 1) && __builtin_expect(f->key == key, 1) &&
	    __builtin_expect(ompp_mode_is_storms(), 1) && !ompp_thread_is_sampled(ompp_self))
		pop_untimed(ompp_self, f);
	else
		exit_flagged_long(key);
}

void ompp_visit_exit(uint64_t key)
{
	if (__builtin_expect(ompp_self->top->flags != 0, 0))
		exit_flagged(key);
	else if (__builtin_expect(OMPP_LOAD(&ompp_modes) & ~(uint32_t)OMPP_MODE_STORMS, 0))
		exit_in_modes(key);
	else
		exit_by(key, ompp_clock_tsc(), 1, 0);
}

void ompp_visit_exit_on_path(uint64_t key)
{
	struct ompp_thread *t = ompp_self;

	if (__builtin_expect(t->top->flags != 0, 0) || __builtin_expect(OMPP_LOAD(&ompp_modes) != OMPP_MODE_SPAN, 0))
		ompp_visit_exit(key);
	else
		exit_by(key, ompp_clock_tsc(), 1, 1);
}

/* Pops both frames on top, whose visits are counted, and adds to the durations of the outer node, and where that is
 * not done yet, to those of the inner one. */
static __attribute__((noinline, cold)) void both_took(struct ompp_thread *t, struct ompp_frame *below, uint64_t now,
                                                      int has_inner)
{
	if (!has_inner)
		ompp_callgraph_took(&t->graph, below[1].node, now - below[1].start_ticks);
	ompp_visit_took(t, below, now - below->start_ticks);
}

static __attribute__((noinline)) void exit_each(uint64_t outer, uint64_t inner)
{
	ompp_visit_exit(inner);
	ompp_visit_exit(outer);
}

/* Ends both at once where neither has flags, nor had other tasks inside, nor is part of a task. */
void ompp_visit_exit_both(uint64_t outer, uint64_t inner)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_frame *f = t->top, *below = f - 1;
	struct ompp_callnode *node = f->node;
	uint64_t now;

	if (__builtin_expect(f->key != inner || below->key != outer, 0) ||
	    __builtin_expect((f->flags | below->flags | (t->base->flags & OMPP_FRAME_TASK)) != 0, 0) ||
	    __builtin_expect((f->task_ticks | below->task_ticks) != 0, 0) ||
	    __builtin_expect(OMPP_LOAD(&ompp_modes) & ~(uint32_t)OMPP_MODE_STORMS, 0) || ompp_thread_is_sampled(t)) {
		exit_each(outer, inner);
		return;
	}
	now = ompp_clock_tsc();
	if (__builtin_expect((int64_t)(now - f->start_ticks) < 0 || (int64_t)(now - below->start_ticks) < 0, 0) ||
	    ompp_course_is_due(t, now)) {
		exit_each(outer, inner);
		return;
	}
	ompp_visit_ended(node, now - f->start_ticks);
	ompp_visit_ended(below->node, now - below->start_ticks);
	if (__builtin_expect(!ompp_callgraph_took_usual(node, now - f->start_ticks), 0))
		both_took(t, below, now, 0);
	else if (__builtin_expect(!ompp_callgraph_took_usual(below->node, now - below->start_ticks), 0))
		both_took(t, below, now, 1);
	else
		ompp_visit_hide(t, below);
}

void ompp_visit_count(uint64_t key, struct ompp_caller caller)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_callnode *node;

	if (__builtin_expect(OMPP_LOAD(&ompp_session.off), 0))
		return;
	if (__builtin_expect(t->top->stack < caller.stack || t->top >= t->limit, 0)) { /* frames were left */
		ompp_visit_enter(key, caller);
		ompp_visit_exit(key);
		return;
	}
	node = ompp_callgraph_child(&t->graph, t->top->node, key, t->max_depth);
	OMPP_ADD(&node->n, 1);
	OMPP_ADD(&node->n_quick, 1);
}
