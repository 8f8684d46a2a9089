/*
 * Task: instances as segments of the frame stacks.  See task.h and instance.h.
 *
 * A token names an instance: slot of the thread << 48 | frame index << 24 | sequence.  While the base frame is there
 * and carries the same token, the instance is still there.
 */
#include "runtime/core/task.h"

#include <stdatomic.h>

#include "runtime/base/clock.h"
#include "runtime/base/mode.h"
#include "runtime/core/callgraph.h"
#include "runtime/core/enter.h"
#include "runtime/core/frame.h"
#include "runtime/core/instance.h"
#include "runtime/core/session.h"
#include "runtime/core/unwind.h"
#include "runtime/core/visit.h"

static uint64_t new_token(struct ompp_thread *t, const struct ompp_frame *f)
{
	return (uint64_t)(t->slot + 1) << 48 | (uint64_t)(f - t->frames) << 24 | (++t->n_instances & 0xffffff);
}

/* Returns the node of the team, or of the bottom, below which the instances of this thread run.  They are children of
 * the parallel region wherever they are run, so their path does not depend on the scheduler. */
static struct ompp_callnode *team_node(const struct ompp_thread *t)
{
	return ompp_team_base(t, t->base)->node;
}

/* Makes the frame the base of an instance, above the base so far.  Tied instances need no token, as they end where they
 * began. */
static inline void make_base(struct ompp_thread *t, struct ompp_frame *f, int untied)
{
	OMPP_STORE(&f->suspended_ticks, 0);
	f->outer = (uint16_t)(t->base - t->frames);
	f->team_base = t->base->team_base;
	t->instance = untied ? new_token(t, f) : 0;
	OMPP_STORE(&f->instance, t->instance);
	t->base = f;
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
		OMPP_OR(&f->flags, OMPP_FRAME_TASK | (untied ? OMPP_FRAME_UNTIED : 0));
		make_base(t, f, untied);
		return;
	}
	parent = team_node(t);
	f = ompp_push(t, parent, ompp_callgraph_child(&t->graph, parent, key, t->max_depth), key, caller);
	OMPP_OR(&f->flags, OMPP_FRAME_TASK | (untied ? OMPP_FRAME_UNTIED : 0));
	if (__builtin_expect(OMPP_LOAD(&ompp_session.off), 0))
		OMPP_OR(&f->flags, OMPP_FRAME_OFF);
	make_base(t, f, untied);
	OMPP_STORE(&f->start_ticks, ompp_clock());
}

void ompp_task_begin(const struct ompp_region_def *def, int untied, struct ompp_caller caller)
{
	struct ompp_thread *t = ompp_self;
	uint64_t key = def->key + OMPP_KEY(0, OMPP_PART_TASKEXEC);
	struct ompp_frame *f = t->top + 1;
	struct ompp_callnode *node;

	if (__builtin_expect(f > t->limit, 0) || __builtin_expect(OMPP_LOAD(&ompp_modes), 0) || untied) {
		begin_long(key, untied, caller);
		return;
	}
	node = ompp_callnode_child(team_node(t), key);
	if (!node) {
		begin_long(key, untied, caller);
		return;
	}
	make_base(t, f, 0);
	caller.site = 0;
	ompp_visit_push(t, f, node, key, caller, OMPP_FRAME_TASK);
}

static __attribute__((noinline, cold)) void end_long(uint64_t key, uint64_t now)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_frame *f;
	uint64_t elapsed;

	ompp_instance_drop_moved(t);
	f = t->base;
	if (!(f->flags & OMPP_FRAME_TASK) || f->key != key) {
		ompp_exit_cold(t, key, now);
		return;
	}
	if (t->top != f)
		ompp_unwind(t, f, now);
	ompp_thread_leave_base(t);
	elapsed = ompp_pop(t, f, now);
	ompp_instance_charge(t, f, elapsed - f->suspended_ticks);
	ompp_instance_drop_moved(t);
}

/* Ends the tied instance on top when the instance around it cannot be suspended either. */
static inline __attribute__((always_inline)) void end_at(uint64_t key, uint64_t now)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_frame *f = t->top, *outer = t->frames + f->outer;
	uint64_t elapsed = now - f->start_ticks;

	if (__builtin_expect(OMPP_LOAD(&ompp_modes) & ~(uint32_t)OMPP_MODE_OFF, 0) ||
	    !ompp_visit_is(f, key, OMPP_FRAME_TASK, now) || __builtin_expect(outer->flags & OMPP_FRAME_UNTIED, 0)) {
		end_long(key, now);
		return;
	}
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
	uint64_t key = def->key + OMPP_KEY(0, OMPP_PART_TASKEXEC);

	if (__builtin_expect(!__atomic_load_n(&ompp_clock_is_plain, __ATOMIC_RELAXED), 0))
		end_by_other_clock(key);
	else
		end_at(key, ompp_clock_tsc());
}

void ompp_task_resume(uint64_t instance, struct ompp_caller caller)
{
	struct ompp_thread *t = ompp_self, *from;
	uint32_t slot = (uint32_t)(instance >> 48) - 1, n, i;
	struct ompp_frame *theirs, *f;
	struct ompp_callnode *parent;
	uint64_t now;

	if (!instance || !t->limit || slot >= atomic_load_explicit(&ompp_n_threads, memory_order_acquire) ||
	    (instance >> 24 & 0xffffff) >= ompp_threads[slot]->n_frames)
		return;
	from = ompp_threads[slot];
	theirs = from->frames + (instance >> 24 & 0xffffff);
	if (!(theirs->flags & OMPP_FRAME_UNTIED) || theirs->flags & OMPP_FRAME_MOVED || theirs->instance != instance)
		return;
	/* The segment ends at the next base, or at the owner's top. */
	for (n = 1; theirs + n <= from->top && !(theirs[n].flags & (OMPP_FRAME_TASK | OMPP_FRAME_TEAM)); n++)
		;
	if (t->top + n > t->limit)
		return;
	now = ompp_clock();
	parent = team_node(t); /* this thread's own rank, not the rank of the thread it came from */
	for (i = 0; i < n; i++, parent = f->node) {
		f = ompp_push(t, parent, ompp_callgraph_child(&t->graph, parent, theirs[i].key, t->max_depth),
		              theirs[i].key, caller);
		OMPP_OR(&f->flags, theirs[i].flags & ~(uint32_t)(OMPP_FRAME_FOLDED | OMPP_FRAME_TASK_VALUES |
		                                                 OMPP_FRAME_SUSPENDED_VALUES | OMPP_FRAME_BARRIER));
		if (OMPP_KEY_PART(f->key) == OMPP_PART_FORK)
			f->team = theirs[i].team;
		OMPP_STORE(&f->start_ticks, now);
		if (i == 0)
			make_base(t, f, 1);
	}
	__atomic_fetch_or(&theirs->flags, OMPP_FRAME_MOVED, __ATOMIC_RELEASE);
}
