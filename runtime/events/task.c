/*
 * Task: instances as segments of the frame stacks.  See task.h and instance.h.
 */
#include "runtime/events/task.h"

#include "runtime/base/check.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/frame.h"
#include "runtime/core/instance.h"
#include "runtime/core/session.h"
#include "runtime/core/unwind.h"
#include "runtime/events/arrival.h"
#include "runtime/events/enter.h"
#include "runtime/events/visit.h"
#include "runtime/events/visit_usual.h"
#include "runtime/host/clock.h"
#include "runtime/span/span_coarser.h"
#include "runtime/span/span_depend.h"
#include "runtime/span/span_variant.h"
#include "runtime/terms/mode.h"

/* Returns the node of the team, or the bottom's, below which this thread's instances run.  Instances are children of
 * the parallel region wherever they run, so their path does not depend on the scheduler. */
static struct ompp_callnode *team_node(const struct ompp_thread *t)
{
	return ompp_team_base(t, t->base)->node;
}

/* Makes the frame the innermost base, with all that it has of its instance.  Tied ones need no token, as they end in
 * the thread where they began. */
static inline void make_base(struct ompp_thread *t, struct ompp_frame *f, uint64_t token)
{
	OMPP_STORE(&f->suspended_ticks, 0);
	OMPP_STORE(&f->instance, token);
	ompp_thread_enter_base(t, f, t->base->team_base);
}

/* Returns 1 where the instance that began at this time may become a long one: task_look() reads the CPU time then. */
static inline int may_be_long(const struct ompp_thread *t, uint64_t now)
{
	return __builtin_expect(now - t->cpu.read_ticks > ompp_arrival_interval, 0);
}

static __attribute__((noinline)) void task_look(struct ompp_thread *t)
{
	const struct ompp_frame *f = t->base;

	ompp_arrival_begin_task(t, (t->frames[f->outer].flags & OMPP_FRAME_TASK) != 0, f->start_ticks);
}

static void make_new_base(struct ompp_thread *t, struct ompp_frame *f, int untied)
{
	uint64_t token = untied ? ompp_instance_new(t) : 0;

	OMPP_OR(&f->flags, OMPP_FRAME_TASK | (token ? OMPP_FRAME_UNTIED : 0));
	make_base(t, f, token);
}

/* Begins the instance's part of the longest path. */
static inline __attribute__((always_inline)) void begin_path(struct ompp_thread *t, struct ompp_frame *f,
                                                             int64_t created)
{
	struct ompp_span *s = ompp_frame_hide_span(t);

	if (!s) {
		ompp_frame_begin_off_path(t, f, 1);
		return;
	}
	ompp_span_stretch(s, ompp_span_waits_in_group(s) ? OMPP_PLACE_WAITS : ompp_frame_place(f[-1].node),
	                  f->start_ticks);
	if (created != OMPP_TASK_ITERATION) { /* else ompp_task_iterate() goes on */
		ompp_span_begin(s, (struct ompp_span_task *)(uintptr_t)created, f->start_ticks);
		if (f->flags & OMPP_FRAME_UNTIED)
			ompp_span_may_move(s);
	}
	ompp_frame_show_span(t, s);
}

/* Ends the instance's part of the longest path, behind its last stretch. */
static __attribute__((noinline)) void end_path(struct ompp_thread *t, const struct ompp_frame *f, uint64_t now)
{
	struct ompp_span *s = ompp_frame_take_span_of(t, f);

	if (!s)
		return;
	ompp_span_end(s, ompp_frame_span_sum(t, f->node), now);
	ompp_frame_show_span(t, s);
}

static __attribute__((noinline)) void end_path_long(struct ompp_thread *t, const struct ompp_frame *f, uint64_t now)
{
	ompp_frame_end_stretch(t, f->node, now);
	end_path(t, f, now);
}

/* Does both for a tied instance. */
static inline __attribute__((always_inline)) void end_path_usual(struct ompp_thread *t, const struct ompp_frame *f,
                                                                 uint64_t now)
{
	struct ompp_span *s = ompp_frame_hide_span(t);
	struct ompp_span_task *task = s ? *s->at : NULL;
	struct ompp_callnode *node = f->node;
	struct ompp_span_sum *sum = node->span;

	if (__builtin_expect(!task || !sum, 0) || ompp_span_has_clocks() ||
	    __builtin_expect(!ompp_span_work_usual(s, task, NULL, node->place, now), 0)) {
		if (s)
			ompp_frame_show_span(t, s);
		end_path_long(t, f, now);
		return;
	}
	if (__builtin_expect(!ompp_span_end_usual(s, task, sum, now), 0))
		ompp_span_end(s, sum, now);
	ompp_frame_show_span(t, s);
}

/* Ends the begin of the instance on top, whose time has started. */
static __attribute__((noinline)) void begin_behind(int64_t created)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_frame *f = t->top;

	if (ompp_course_is_due(t, f->start_ticks))
		f = ompp_course_enter(t, f);
	if (ompp_frame_is_on_path())
		begin_path(t, f, created);
	if (may_be_long(t, f->start_ticks))
		task_look(t);
}

static __attribute__((noinline, cold)) void begin_long(uint64_t key, int untied, int64_t created,
                                                       struct ompp_caller caller)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_callnode *parent;
	struct ompp_frame *f;

	if (t->top >= t->limit) {
		f = ompp_enter_cold(key, caller);
		if (!f)
			return;
		t = ompp_self; /* a new thread: the frame is the instance's base already */
		ompp_enter_start(t, f);
		make_new_base(t, f, untied);
		if (ompp_frame_is_on_path())
			begin_path(t, f, created);
		return;
	}
	parent = team_node(t);
	f = ompp_push(t, parent, ompp_callgraph_child(&t->graph, parent, key, t->max_depth), key, caller);
	if (__builtin_expect(OMPP_LOAD(&ompp_session.off), 0))
		OMPP_OR(&f->flags, OMPP_FRAME_OFF);
	make_new_base(t, f, untied);
	ompp_frames_check(t);
	OMPP_STORE(&f->start_ticks, ompp_clock());
	begin_behind(created);
}

/* Returns the node of an instance if it is the same child as last time, and the begin of a tied one is usual; else
 * NULL. */
static inline __attribute__((always_inline)) struct ompp_callnode *task_node(const struct ompp_thread *t, uint64_t key)
{
	return __builtin_expect(t->top < t->limit, 1) && !ompp_thread_is_sampled(t)
	             ? ompp_callnode_child(team_node(t), key)
	             : NULL;
}

/* Begins the instance on top once more: a handler that came before the frame was there has used it, too. */
static __attribute__((noinline, cold)) void begin_refilled(struct ompp_callnode *node, uint64_t key, int64_t created,
                                                           struct ompp_caller caller)
{
	ompp_visit_refill(ompp_self->top, node, key, caller, OMPP_FRAME_TASK);
	begin_behind(created);
}

/* Puts the frame of a tied instance on top, and makes it the base.  Returns 0 where it has to be filled in once more.
 */
static inline __attribute__((always_inline)) int push_tied(struct ompp_thread *t, struct ompp_frame *f,
                                                           struct ompp_callnode *node, uint64_t key,
                                                           struct ompp_caller caller)
{
	ompp_visit_fill(f, node, key, caller, OMPP_FRAME_TASK);
	ompp_visit_show(t, f, node);
	ompp_thread_enter_base(t, f, t->base->team_base);
	return __builtin_expect(OMPP_LOAD(&f->stack) == caller.stack, 1);
}

/* Begins a tied instance where there may be more to do. */
static void begin_tied(uint64_t key, int64_t created, struct ompp_caller caller)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_callnode *node = task_node(t, key);
	struct ompp_frame *f = t->top + 1;

	if (__builtin_expect(!node, 0)) {
		begin_long(key, 0, created, caller);
		return;
	}
	caller.site = 0;
	if (!push_tied(t, f, node, key, caller) || ompp_clock_is_other()) {
		begin_refilled(node, key, created, caller);
		return;
	}
	OMPP_STORE(&f->start_ticks, ompp_clock_tsc());
	begin_behind(created);
}

/* ---- begins that are usual: all that is not comes last, so that they save few registers ---- */

/* Begins a tied instance where the clock is read and nothing else. */
static inline __attribute__((always_inline)) void begin_usual(uint64_t key, struct ompp_caller caller)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_callnode *node = task_node(t, key);
	struct ompp_frame *f = t->top + 1;
	uint64_t now;

	if (__builtin_expect(!node, 0)) {
		begin_long(key, 0, 0, caller);
		return;
	}
	caller.site = 0;
	if (!push_tied(t, f, node, key, caller)) {
		begin_refilled(node, key, 0, caller);
		return;
	}
	now = ompp_clock_tsc();
	OMPP_STORE(&f->start_ticks, now);
	if (ompp_course_is_due(t, now))
		begin_behind(0);
	else if (may_be_long(t, now))
		task_look(t);
}

/* Begins the instance's part of the longest path, which the caller has taken. */
static __attribute__((noinline)) void begin_record(struct ompp_span *s, int64_t created, uint64_t idle_ticks,
                                                   uint64_t now)
{
	s->idle_ticks = idle_ticks;
	ompp_span_begin(s, (struct ompp_span_task *)(uintptr_t)created, now);
	ompp_frame_show_span(ompp_self, s);
}

/* The same where the longest path is looked for, and nothing else.  It begins as begin_usual() does: one function for
 * both was tried, and takes 20 instructions more here and 4 there. */
static inline __attribute__((always_inline)) void begin_on_path(uint64_t key, int64_t created,
                                                                struct ompp_caller caller)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_callnode *node = task_node(t, key);
	struct ompp_frame *f = t->top + 1;
	struct ompp_span *s;
	uint64_t now, idle_ticks;

	if (__builtin_expect(!node, 0)) {
		begin_long(key, 0, created, caller);
		return;
	}
	caller.site = 0;
	if (!push_tied(t, f, node, key, caller)) {
		begin_refilled(node, key, created, caller);
		return;
	}
	s = ompp_frame_hide_span(t);
	now = ompp_clock_tsc();
	OMPP_STORE(&f->start_ticks, now);
	if (ompp_course_is_due(t, now) || may_be_long(t, now) || __builtin_expect(!s, 0) ||
	    __builtin_expect(created == OMPP_TASK_ITERATION, 0) || ompp_span_has_clocks() ||
	    __builtin_expect(!(f[-1].node->place & OMPP_PLACE_WAITS), 0)) {
		if (s)
			ompp_frame_show_span(t, s);
		begin_behind(created);
		return;
	}
	idle_ticks = ompp_span_idle(s, now);
	if (ompp_span_begin_usual(s, (struct ompp_span_task *)(uintptr_t)created, idle_ticks, now))
		ompp_frame_show_span(t, s);
	else
		begin_record(s, created, idle_ticks, now);
}

/* Begins an instance when events have extra work to do. */
static __attribute__((noinline)) void begin_in_modes(uint64_t key, int untied, int64_t created,
                                                     struct ompp_caller caller)
{
	if (OMPP_LOAD(&ompp_modes) & ~(uint32_t)(OMPP_MODE_STORMS | OMPP_MODE_SPAN | OMPP_MODE_CLOCK) || untied ||
	    OMPP_LOAD(&ompp_self->top->flags) & OMPP_FRAME_UNTIMED)
		begin_long(key, untied, created, caller);
	else
		begin_tied(key, created, caller);
}

/* The same, in fewer instructions where that work is the longest path alone. */
static __attribute__((noinline)) void begin_by_mode(uint64_t key, int untied, int64_t created,
                                                    struct ompp_caller caller)
{
	if (__builtin_expect(OMPP_LOAD(&ompp_modes) != OMPP_MODE_SPAN || untied, 0))
		begin_in_modes(key, untied, created, caller);
	else
		begin_on_path(key, created, caller);
}

void ompp_task_begin(const struct ompp_region_def *def, int untied, int64_t created, struct ompp_caller caller)
{
	uint64_t key = ompp_region_key(def, OMPP_PART_TASKEXEC);

	if (__builtin_expect(OMPP_LOAD(&ompp_modes) || untied, 0))
		begin_by_mode(key, untied, created, caller);
	else
		begin_usual(key, caller);
}

/* Brings the base of the instance that ends to the top: the untied ones above it are suspended.  Returns 0 when there
 * is no such instance. */
static int find_base(struct ompp_thread *t, uint64_t key)
{
	const struct ompp_frame *base = t->base;

	while (base->key != key && base->flags & OMPP_FRAME_UNTIED)
		base = t->frames + base->outer;
	if (!(base->flags & OMPP_FRAME_TASK) || base->key != key)
		return 0;
	while (t->base != base)
		ompp_instance_drop(t);
	return 1;
}

static __attribute__((noinline, cold)) void end_long(uint64_t key, uint64_t now)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_frame *f;
	uint64_t elapsed;

	ompp_instance_drop_moved(t);
	if (!find_base(t, key)) {
		ompp_exit_cold(t, key, now);
		return;
	}
	f = t->base;
	if (t->top != f)
		ompp_unwind(t, f, now);
	if (t->top != f) { /* see ompp_exit_cold(); only a wrong program resumes it elsewhere meanwhile */
		OMPP_ADD(&t->n_stray, 1);
		return;
	}
	ompp_assert(f == t->base && f->flags & OMPP_FRAME_TASK);
	ompp_thread_leave_base(t);
	if (f->flags & OMPP_FRAME_UNTIED) /* now, as a base without its record looks as if it went on elsewhere */
		ompp_instance_free(t, f->instance);
	elapsed = ompp_frame_end(t, f, now);
	end_path(t, f, now);
	ompp_instance_charge(t, f, elapsed - f->suspended_ticks);
	ompp_frame_show(t, f - 1);
	ompp_instance_drop_moved(t);
	ompp_frames_check(t);
}

/* Ends an instance that took longer than an interval, and may have lost its processor meanwhile. */
static __attribute__((noinline, cold)) void end_after_interval(uint64_t key, uint64_t now)
{
	struct ompp_thread *t = ompp_self;
	const struct ompp_frame *f = t->top;
	uint64_t own_ticks = now - f->start_ticks - f->task_ticks, n, off_ticks;
	struct ompp_callnode *node;

	if (!t->limit || f->key != key || (int64_t)(now - f->start_ticks) < 0 || (int64_t)own_ticks <= 0 ||
	    own_ticks <= ompp_arrival_interval) {
		end_long(key, now);
		return;
	}
	node = f->node;
	n = node->n;
	off_ticks = ompp_arrival_end_task(t, own_ticks, now);
	end_long(key, now);
	if (off_ticks && node->n == n + 1)
		ompp_callgraph_took_less(node, off_ticks);
}

/* Ends the tied instance on top when the instance around it is tied, too, and so cannot be suspended.
 * is_usual: the caller has seen that no mode is unusual
 * is_on_path: the longest path is looked for */
static inline __attribute__((always_inline)) void end_by(uint64_t key, uint64_t now, int is_usual, int is_on_path)
{
	const uint32_t usual = OMPP_MODE_OFF | OMPP_MODE_STORMS | OMPP_MODE_CLOCK | (is_on_path ? OMPP_MODE_SPAN : 0);
	struct ompp_thread *t = ompp_self;
	struct ompp_frame *f = t->top, *outer = t->frames + f->outer;
	uint64_t elapsed = now - f->start_ticks;

	if (__builtin_expect(elapsed > ompp_arrival_interval, 0)) {
		end_after_interval(key, now);
		return;
	}
	if ((!is_usual && __builtin_expect(OMPP_LOAD(&ompp_modes) & ~usual, 0)) || ompp_thread_is_sampled(t) ||
	    __builtin_expect((int64_t)elapsed < 0, 0) || __builtin_expect(f->key != key, 0) ||
	    ompp_course_is_due(t, now) || __builtin_expect(f->flags != OMPP_FRAME_TASK, 0) ||
	    __builtin_expect(outer->flags & OMPP_FRAME_UNTIED, 0)) {
		end_long(key, now);
		return;
	}
	ompp_assert(f == t->base && outer < f);
	OMPP_STORE(&t->base, outer);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	OMPP_ADD(&f[-1].task_ticks, elapsed);
	OMPP_ADD(&f[-1].node->n_tasks, 1);
	if (is_on_path)
		end_path_usual(t, f, now);
	ompp_visit_pop(t, f, elapsed, f->task_ticks);
}

/* Ends an instance while modes are on.  HOT where the longest path is looked for. */
static __attribute__((noinline)) void end_by_mode(uint64_t key)
{
	const uint32_t usual = OMPP_MODE_OFF | OMPP_MODE_STORMS;

	if (__builtin_expect((OMPP_LOAD(&ompp_modes) & ~usual) == OMPP_MODE_SPAN, 1))
		end_by(key, ompp_clock_tsc(), 1, 1);
	else
		end_by(key, ompp_clock(), 0, ompp_frame_is_on_path());
}

void ompp_task_end(const struct ompp_region_def *def)
{
	uint64_t key = ompp_region_key(def, OMPP_PART_TASKEXEC);

	if (__builtin_expect(OMPP_LOAD(&ompp_modes) & ~(uint32_t)OMPP_MODE_STORMS, 0))
		end_by_mode(key);
	else
		end_by(key, ompp_clock_tsc(), 1, 0);
}

/* Pushes the parts of an instance that continues in this thread.  Their nodes are below this thread's own rank, not
 * that of the former thread. */
static void push_parts(struct ompp_thread *t, const struct ompp_instance_part *parts, uint32_t n, uint64_t token,
                       struct ompp_caller caller)
{
	struct ompp_callnode *parent = team_node(t);
	struct ompp_span *s = ompp_frame_take_span(t);
	uint64_t now = ompp_clock();
	struct ompp_frame *f;

	ompp_assert(n && n <= (uint32_t)(t->limit - t->top));
	if (s) {
		ompp_span_resume(s, ompp_instance_path(token), now);
		ompp_frame_show_span(t, s);
	}
	for (uint32_t i = 0; i < n; i++, parent = f->node) {
		f = ompp_push(t, parent, ompp_callgraph_child(&t->graph, parent, parts[i].key, t->max_depth),
		              parts[i].key, caller);
		OMPP_OR(&f->flags, parts[i].flags);
		OMPP_STORE(&f->start_ticks, now);
		if (i == 0)
			make_base(t, f, token);
		else if (OMPP_KEY_PART(f->key) == OMPP_PART_FORK)
			f->team = NULL; /* it was left */
	}
	if (!s && ompp_frame_is_on_path())
		ompp_frame_begin_off_path(t, t->base, 1);
}

void ompp_task_resume(uint64_t instance, struct ompp_caller caller)
{
	struct ompp_thread *t = ompp_self;
	const struct ompp_instance_part *parts;
	uint64_t token;
	uint32_t n;

	if (!t->limit)
		return;
	ompp_instance_drop_moved(t);
	if (!instance)
		while (t->base->flags & OMPP_FRAME_UNTIED)
			ompp_instance_drop(t);
	if (instance == ompp_thread_instance(t) || t->top >= t->limit)
		return;
	parts = ompp_instance_take(instance, &n, &token);
	if (parts && n <= (uint32_t)(t->limit - t->top))
		push_parts(t, parts, n, token, caller);
}

/* ---- the longest path ---- */

static int64_t create_loop(struct ompp_span *s, const struct ompp_region_def *def, uint32_t flags, int waits)
{
	struct ompp_span_task *loop = ompp_span_create_loop(s, flags, waits, s->last_ticks);

	if (loop && waits && ompp_span_has_clocks())
		ompp_span_coarser_begin(s, OMPP_KEY_ID(def->key), s->last_ticks);
	return (int64_t)(uintptr_t)loop;
}

int64_t ompp_task_create(const struct ompp_region_def *def, int clauses)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_span *s = ompp_frame_take_span(t);
	uint32_t flags = (clauses & OMPP_TASK_IF ? 0 : OMPP_SPAN_UNDEFERRED) |
	                 (clauses & OMPP_TASK_FINAL ? OMPP_SPAN_FINAL : 0);
	int64_t created;

	if (!s) {
		if (ompp_frame_is_on_path() && t->kept_span)
			OMPP_ADD(&t->kept_span->n_created, 1);
		return 0;
	}
	created = def->construct == OMPP_TASKLOOP ? create_loop(s, def, flags, !(clauses & OMPP_TASK_NOGROUP))
	                                          : (int64_t)(uintptr_t)ompp_span_create(s, flags, s->last_ticks);
	ompp_frame_show_span(t, s);
	return created;
}

void ompp_task_created(const struct ompp_region_def *def)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_span *s = ompp_frame_take_span(t);

	if (!s)
		return;
	if (def->construct == OMPP_TASKLOOP) {
		struct ompp_coarser_gain gain = ompp_span_coarser_end(s);

		ompp_span_loop_end(s, s->last_ticks);
		ompp_span_coarser_gain(s, gain);
	} else {
		ompp_span_created(s, s->idle_ticks);
	}
	ompp_frame_show_span(t, s);
}

void ompp_task_depend(int64_t created, int kind, const void *address)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_span *s = ompp_frame_take_span(t);

	if (!s)
		return;
	ompp_span_depend(s, (struct ompp_span_task *)(uintptr_t)created,
	                 kind > 0 && kind < OMPP_N_SPAN_DEPENDS ? (enum ompp_span_depend)kind : OMPP_SPAN_UNSEEN,
	                 address);
	ompp_frame_show_span(t, s);
}

void ompp_task_group_begin(void)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_span *s = ompp_frame_take_span(t);

	if (!s)
		return;
	ompp_span_group(s);
	ompp_frame_show_span(t, s);
}

static inline void go_on_behind(struct ompp_span *s, const struct ompp_region_def *def)
{
	if (ompp_span_has_clocks())
		ompp_span_variants_wait(s, OMPP_KEY_ID(def->key));
	ompp_span_wait(s, s->last_ticks);
}

void ompp_task_wait_end(const struct ompp_region_def *def)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_span *s = ompp_frame_take_span(t);

	if (!s)
		return;
	if (def->construct == OMPP_TASKGROUP)
		ompp_span_group_end(s, s->last_ticks);
	else if (def->construct == OMPP_TASKWAIT && !def->is_after_some)
		go_on_behind(s, def);
	else if (def->construct == OMPP_TASKWAIT)
		s->n_unseen++;
	ompp_frame_show_span(t, s);
}

void ompp_task_group_ends(void)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_span *s = ompp_frame_take_span(t);

	if (!s)
		return;
	ompp_span_stretch(s, ompp_frame_place(t->top->node), ompp_clock());
	ompp_span_group_waits(s);
	ompp_frame_show_span(t, s);
}

/* The time since the body's end, or since the last event where that is not known, was waiting. */
void ompp_task_group_left(void)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_span *s = ompp_frame_take_span(t);

	if (!s)
		return;
	ompp_span_stretch(s, OMPP_PLACE_WAITS, ompp_clock());
	ompp_frame_show_span(t, s);
}

void ompp_task_iterate(const struct ompp_region_def *def, int64_t created, int64_t *chunk, struct ompp_caller caller)
{
	struct ompp_thread *t;
	struct ompp_span *s;

	ompp_task_begin(def, 0, created ? OMPP_TASK_ITERATION : 0, caller);
	t = ompp_self;
	s = created ? ompp_frame_take_span(t) : NULL;
	if (!s)
		return;
	ompp_span_iterate(s, (struct ompp_span_task *)(uintptr_t)created, chunk, ompp_frame_place(t->top->node),
	                  s->last_ticks);
	ompp_frame_show_span(t, s);
}
