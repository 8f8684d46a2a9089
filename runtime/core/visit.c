/*
 * Visit: see visit.h.
 */
#include "runtime/core/visit.h"

#include "runtime/core/enter.h"
#include "runtime/core/thread.h"

struct ompp_frame *ompp_visit_refill(struct ompp_frame *f, struct ompp_callnode *node, uint64_t key,
                                     struct ompp_caller caller, uint32_t flags)
{
	OMPP_STORE(&f->node, node);
	OMPP_STORE(&f->key, key);
	f->stack = caller.stack;
	OMPP_STORE(&f->instance, caller.site);
	OMPP_STORE(&f->task_ticks, 0);
	OMPP_STORE(&f->once_before, flags ? 0 : node->head->once_ticks);
	OMPP_STORE(&f->flags, flags);
	OMPP_STORE(&f->start_ticks, ompp_clock());
	return f;
}

static __attribute__((noinline, cold)) struct ompp_frame *enter_long(uint64_t key, struct ompp_caller caller)
{
	return ompp_enter(key, caller);
}

struct ompp_frame *ompp_visit_enter(uint64_t key, struct ompp_caller caller)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_frame *top = t->top;
	struct ompp_callnode *node;

	if (__builtin_expect(top >= t->limit, 0) || __builtin_expect(OMPP_LOAD(&ompp_modes), 0) ||
	    __builtin_expect(top->stack < caller.stack, 0) || __builtin_expect(top->key == key, 0))
		return enter_long(key, caller);
	node = ompp_callnode_child(top->node, key);
	if (!node)
		return enter_long(key, caller);
	return ompp_visit_push(t, top + 1, node, key, caller, 0);
}

static __attribute__((noinline, cold)) void exit_long(uint64_t key, uint64_t now)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_frame *f = t->top;

	if (f->key != key) {
		ompp_exit_cold(t, key, now);
		return;
	}
	OMPP_ADD(&f[-1].task_ticks, f->task_ticks);
	ompp_pop(t, f, now);
}

static inline __attribute__((always_inline)) void exit_at(uint64_t key, uint64_t now)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_frame *f = t->top;
	uint64_t elapsed = now - f->start_ticks, task_ticks = f->task_ticks, inside = 0;

	if (__builtin_expect(OMPP_LOAD(&ompp_modes) & ~(uint32_t)OMPP_MODE_OFF, 0) || !ompp_visit_is(f, key, 0, now)) {
		exit_long(key, now);
		return;
	}
	/* This is the same as in ompp_frame_time(). */
	if (task_ticks) {
		inside = f->node->head->once_ticks - f->once_before;
		if (__builtin_expect(inside > task_ticks || inside > elapsed, 0)) {
			exit_long(key, now);
			return;
		}
		OMPP_ADD(&f[-1].task_ticks, task_ticks);
	}
	if (t->base->flags & OMPP_FRAME_TASK && !f->node->same)
		OMPP_STORE(&f->node->head->once_ticks, f->once_before + elapsed);
	ompp_visit_pop(t, f, elapsed - inside, task_ticks - inside);
}

void ompp_visit_exit_at(uint64_t key, uint64_t now)
{
	exit_at(key, now);
}

static __attribute__((noinline, cold)) void exit_by_other_clock(uint64_t key)
{
	exit_at(key, ompp_clock());
}

void ompp_visit_exit(uint64_t key)
{
	if (__builtin_expect(!__atomic_load_n(&ompp_clock_is_plain, __ATOMIC_RELAXED), 0))
		exit_by_other_clock(key);
	else
		exit_at(key, ompp_clock_tsc());
}
