/*
 * Task, path: see task_path.h.  All that is unusual is a tail call, so that no registers are kept for it.
 */
#include "runtime/events/task_path.h"

#include "runtime/core/frame.h"
#include "runtime/events/visit.h"
#include "runtime/events/visit_usual.h"
#include "runtime/host/clock.h"
#include "runtime/span/span_variant.h"
#include "runtime/terms/mode.h"

/* Returns 1 where events have no other extra work than the longest path, by the plain clock, and no clocks of variants.
 */
static inline int is_usual(const struct ompp_thread *t)
{
	return __builtin_expect(OMPP_LOAD(&ompp_modes) == OMPP_MODE_SPAN, 1) && __builtin_expect(t->span != NULL, 1) &&
	       !ompp_span_has_clocks();
}

static __attribute__((noinline)) void create_long(const struct ompp_region_def *def, int64_t *created, int clauses,
                                                  struct ompp_caller caller)
{
	ompp_visit_enter_on_path(ompp_region_key(def, OMPP_PART_REGION), caller);
	*created = ompp_task_create(def, clauses);
}

/* The same where the enter is over, but for the end of the stretch before it. */
static __attribute__((noinline)) void create_behind(const struct ompp_region_def *def, int64_t *created, int clauses)
{
	ompp_visit_enter_stretch(ompp_self->top);
	*created = ompp_task_create(def, clauses);
}

/* The same where, besides, a signal handler used the frame before it was on top. */
static __attribute__((noinline, cold)) void create_refilled(const struct ompp_region_def *def, int64_t *created,
                                                            int clauses, struct ompp_caller caller,
                                                            struct ompp_callnode *node)
{
	ompp_visit_refill(ompp_self->top, node, ompp_region_key(def, OMPP_PART_REGION), caller, 0);
	create_behind(def, created, clauses);
}

/* The same where that stretch is over, too. */
static __attribute__((noinline)) void create_here(const struct ompp_region_def *def, int64_t *created, int clauses)
{
	*created = ompp_task_create(def, clauses);
}

/* Returns 1 where a task without flags may be created. */
static inline int may_create(const struct ompp_region_def *def, int clauses, const struct ompp_span_task *creator)
{
	return __builtin_expect(creator != NULL, 1) && __builtin_expect(def->construct == OMPP_TASK, 1) &&
	       __builtin_expect((clauses & (OMPP_TASK_IF | OMPP_TASK_FINAL)) == OMPP_TASK_IF, 1);
}

void ompp_task_create_on_path(const struct ompp_region_def *def, int64_t *created, int clauses, uintptr_t stack,
                              uintptr_t site)
{
	struct ompp_caller caller = { stack, site };
	struct ompp_thread *t = ompp_self;
	uint64_t key = ompp_region_key(def, OMPP_PART_REGION), now;
	struct ompp_callnode *node = is_usual(t) ? ompp_visit_usual_node(t, key, caller) : NULL;
	struct ompp_frame *f = t->top + 1;
	struct ompp_span_task *task, *child;
	struct ompp_span *s;

	if (__builtin_expect(!node, 0)) {
		create_long(def, created, clauses, caller);
		return;
	}
	ompp_visit_fill(f, node, key, caller, 0);
	ompp_visit_show(t, f, node);
	if (__builtin_expect(OMPP_LOAD(&f->stack) != caller.stack, 0)) {
		create_refilled(def, created, clauses, caller, node);
		return;
	}
	s = ompp_frame_hide_span(t);
	now = ompp_clock_tsc();
	OMPP_STORE(&f->start_ticks, now);
	if (__builtin_expect(!s, 0)) { /* a handler that came in between has taken it for good */
		create_behind(def, created, clauses);
		return;
	}
	task = *s->at;
	child = may_create(def, clauses, task) ? ompp_span_prepare_usual(s, task) : NULL;
	if (ompp_course_is_due(t, now) || __builtin_expect(!child, 0) ||
	    __builtin_expect(!ompp_span_work_usual(s, task, child, f[-1].node->place, now), 0)) {
		ompp_frame_show_span(t, s);
		create_behind(def, created, clauses);
	} else if (__builtin_expect(!ompp_span_create_usual(s, task, child, now), 0)) {
		ompp_frame_show_span(t, s);
		create_here(def, created, clauses);
	} else {
		ompp_frame_show_span(t, s);
		*created = (int64_t)(uintptr_t)child;
	}
}

/* Exits the visit of a region, and takes the thread's part of the path.  Returns NULL where neither was done: a handler
 * has taken the part for good, or the exit has to go the long way. */
static inline __attribute__((always_inline)) struct ompp_span *exit_and_take(struct ompp_thread *t,
                                                                             const struct ompp_region_def *def,
                                                                             uint64_t *ticks)
{
	struct ompp_span *s = ompp_frame_hide_span(t);

	if (__builtin_expect(!s, 0))
		return NULL;
	if (ompp_visit_exit_usual(t, ompp_region_key(def, OMPP_PART_REGION), ompp_clock_tsc(), 1, 1, s, ticks))
		return s;
	ompp_frame_show_span(t, s);
	return NULL;
}

static __attribute__((noinline)) void created_long(const struct ompp_region_def *def)
{
	ompp_visit_exit_on_path(ompp_region_key(def, OMPP_PART_REGION));
	ompp_task_created(def);
}

void ompp_task_created_on_path(const struct ompp_region_def *def)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_span *s;
	uint64_t ticks;

	if (__builtin_expect(def->construct != OMPP_TASK || t->top->flags, 0) || !is_usual(t)) {
		created_long(def);
		return;
	}
	s = exit_and_take(t, def, &ticks);
	if (__builtin_expect(!s, 0)) {
		created_long(def);
		return;
	}
	ompp_span_add_creation(s, *s->at, ticks);
	ompp_frame_show_span(t, s);
}

static __attribute__((noinline)) void waited_long(const struct ompp_region_def *def)
{
	ompp_visit_exit_on_path(ompp_region_key(def, OMPP_PART_REGION));
	ompp_task_wait_end(def);
}

void ompp_task_waited_on_path(const struct ompp_region_def *def)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_span *s;
	struct ompp_span_task *task;
	uint64_t idle_ticks;

	if (__builtin_expect(def->construct != OMPP_TASKWAIT || def->is_after_some || t->top->flags, 0) ||
	    !is_usual(t)) {
		waited_long(def);
		return;
	}
	s = exit_and_take(t, def, &idle_ticks);
	if (__builtin_expect(!s, 0)) {
		waited_long(def);
		return;
	}
	task = *s->at;
	if (__builtin_expect(task != NULL, 1) && __builtin_expect(!ompp_span_wait_usual(s, task, idle_ticks), 0)) {
		s->idle_ticks = idle_ticks;
		ompp_span_wait(s, s->last_ticks);
	}
	ompp_frame_show_span(t, s);
}
