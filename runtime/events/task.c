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
#include "runtime/events/enter.h"
#include "runtime/events/visit.h"
#include "runtime/host/clock.h"
#include "runtime/terms/mode.h"

/* Returns the node of the team, or of the bottom, below which the instances of this thread run.  They are children of
 * the parallel region wherever they are run, so their path does not depend on the scheduler. */
static struct ompp_callnode *team_node(const struct ompp_thread *t)
{
	return ompp_team_base(t, t->base)->node;
}

/* Makes the frame the base of an instance, above the base so far.  Tied instances need no token, as they end where they
 * began. */
static inline void make_base(struct ompp_thread *t, struct ompp_frame *f, uint64_t token)
{
	OMPP_STORE(&f->suspended_ticks, 0);
	ompp_assert(f > t->base && t->base >= t->frames && f - t->frames <= UINT16_MAX);
	f->outer = (uint16_t)(t->base - t->frames);
	f->team_base = t->base->team_base;
	t->instance = token;
	OMPP_STORE(&f->instance, token);
	t->base = f;
}

static void make_new_base(struct ompp_thread *t, struct ompp_frame *f, int untied)
{
	uint64_t token = untied ? ompp_instance_new(t) : 0;

	OMPP_OR(&f->flags, OMPP_FRAME_TASK | (token ? OMPP_FRAME_UNTIED : 0));
	make_base(t, f, token);
}

static __attribute__((noinline, cold)) void begin_long(uint64_t key, int untied, struct ompp_caller caller)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_callnode *parent;
	struct ompp_frame *f;

	if (t->top >= t->limit) {
		f = ompp_enter_cold(key, caller);
		if (!f)
			return;
		t = ompp_self; /* a new thread: the frame is the instance's base already */
		make_new_base(t, f, untied);
		return;
	}
	parent = team_node(t);
	f = ompp_push(t, parent, ompp_callgraph_child(&t->graph, parent, key, t->max_depth), key, caller);
	if (__builtin_expect(OMPP_LOAD(&ompp_session.off), 0))
		OMPP_OR(&f->flags, OMPP_FRAME_OFF);
	make_new_base(t, f, untied);
	ompp_frames_check(t);
	OMPP_STORE(&f->start_ticks, ompp_clock());
}

/* Begins a tied instance at a node that is where it was the last time.  Returns 0 where it is not. */
static inline __attribute__((always_inline)) int begin_usual(uint64_t key, struct ompp_caller caller)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_frame *f = t->top + 1;
	struct ompp_callnode *node;

	if (__builtin_expect(f > t->limit, 0) || ompp_thread_is_sampled(t))
		return 0;
	node = ompp_callnode_child(team_node(t), key);
	if (!node)
		return 0;
	make_base(t, f, 0);
	caller.site = 0;
	ompp_visit_push(t, f, node, key, caller, OMPP_FRAME_TASK);
	return 1;
}

/* Begins an instance where events have more to do. */
static __attribute__((noinline)) void begin_by_mode(uint64_t key, int untied, struct ompp_caller caller)
{
	if (OMPP_LOAD(&ompp_modes) != OMPP_MODE_STORMS || untied ||
	    OMPP_LOAD(&ompp_self->top->flags) & OMPP_FRAME_UNTIMED || !begin_usual(key, caller))
		begin_long(key, untied, caller);
}

void ompp_task_begin(const struct ompp_region_def *def, int untied, struct ompp_caller caller)
{
	uint64_t key = ompp_region_key(def, OMPP_PART_TASKEXEC);

	if (__builtin_expect(OMPP_LOAD(&ompp_modes) || untied, 0))
		begin_by_mode(key, untied, caller);
	else if (!begin_usual(key, caller))
		begin_long(key, 0, caller);
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
	if (f->flags & OMPP_FRAME_UNTIED)
		ompp_instance_free(t, f->instance);
	ompp_thread_leave_base(t);
	elapsed = ompp_pop(t, f, now);
	ompp_instance_charge(t, f, elapsed - f->suspended_ticks);
	ompp_instance_drop_moved(t);
	ompp_frames_check(t);
}

/* Ends the tied instance on top when the instance around it cannot be suspended either. */
static inline __attribute__((always_inline)) void end_at(uint64_t key, uint64_t now)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_frame *f = t->top, *outer = t->frames + f->outer;
	uint64_t elapsed = now - f->start_ticks;

	if (__builtin_expect(OMPP_LOAD(&ompp_modes) & ~(uint32_t)(OMPP_MODE_OFF | OMPP_MODE_STORMS), 0) ||
	    ompp_thread_is_sampled(t) || !ompp_visit_is(f, key, now) ||
	    __builtin_expect(f->flags != OMPP_FRAME_TASK, 0) || __builtin_expect(outer->flags & OMPP_FRAME_UNTIED, 0)) {
		end_long(key, now);
		return;
	}
	ompp_assert(f == t->base && outer < f);
	t->base = outer;
	OMPP_ADD(&f[-1].task_ticks, elapsed);
	OMPP_ADD(&f[-1].node->n_tasks, 1);
	ompp_visit_pop(t, f, elapsed, f->task_ticks);
}

static __attribute__((noinline, cold)) void end_by_other_clock(uint64_t key)
{
	end_at(key, ompp_clock());
}

void ompp_task_end(const struct ompp_region_def *def)
{
	uint64_t key = ompp_region_key(def, OMPP_PART_TASKEXEC);

	if (__builtin_expect(!__atomic_load_n(&ompp_clock_is_plain, __ATOMIC_RELAXED), 0))
		end_by_other_clock(key);
	else
		end_at(key, ompp_clock_tsc());
}

/* Pushes the parts of an instance that goes on here.  They are below this thread's own rank, not that of the thread
 * from which it came. */
static void push_parts(struct ompp_thread *t, const struct ompp_instance_part *parts, uint32_t n, uint64_t token,
                       struct ompp_caller caller)
{
	struct ompp_callnode *parent = team_node(t);
	uint64_t now = ompp_clock();
	struct ompp_frame *f;

	ompp_assert(n && n <= (uint32_t)(t->limit - t->top));
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
	if (instance == t->instance || t->top >= t->limit)
		return;
	parts = ompp_instance_take(instance, &n, &token);
	if (parts && n <= (uint32_t)(t->limit - t->top))
		push_parts(t, parts, n, token, caller);
}
