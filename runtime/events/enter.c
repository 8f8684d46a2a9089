/*
 * Enter: see enter.h.
 */
#include "runtime/events/enter.h"

#include "runtime/base/check.h"
#include "runtime/core/instance.h"
#include "runtime/events/thread_start.h"

#define OVER_KEY (UINT64_MAX - 1) /* key of the frame above the limit, which matches no exit */

struct ompp_frame *ompp_enter_cold(uint64_t key, struct ompp_caller caller)
{
	struct ompp_thread *t = ompp_self;
	struct ompp_callnode *parent;
	struct ompp_frame *f;

	if (t == &ompp_cold_thread) {
		t = ompp_thread_start(1);
		return t ? ompp_enter_untimed(key, caller) : NULL;
	}
	if (t->n_over && t->limit->stack < caller.stack &&
	    !ompp_unwind_is_on_signal_stack()) { /* the deep frames are gone */
		t->n_over = 0;
		ompp_set_top(t, t->limit);
		ompp_unwind_left(t, key, caller);
		return ompp_enter_untimed(key, caller);
	}
	if (t->top >= t->limit) {
		if (!t->n_over++) {
			f = t->top + 1;
			*f = (struct ompp_frame){ .key = OVER_KEY, .node = t->graph.lost, .stack = UINTPTR_MAX };
			ompp_set_top(t, f);
		}
		OMPP_ADD(&t->n_over_total, 1);
		return NULL;
	}
	if (t->top->stack < caller.stack)
		ompp_unwind_left(t, key, caller);
	parent = t->top->node;
	f = ompp_push(t, parent, ompp_callgraph_child(&t->graph, parent, key, t->max_depth), key, caller);
	OMPP_OR(&f->flags, OMPP_FRAME_OFF);
	return f;
}

/* Returns the frame that an exit of `key` refers to: a frame of the running instance, or of one below it.  In the
 * latter case the instances above are suspended, or were cancelled, since no other event can come while they run. */
static struct ompp_frame *find_open(struct ompp_thread *t, uint64_t key)
{
	struct ompp_frame *f, *base = t->base;

	for (f = t->top; f > t->frames; f--) {
		if (f == base) {
			if (!(f->flags & OMPP_FRAME_TASK))
				break;
			base = t->frames + base->outer;
		} else if (f->key == key) {
			ompp_assert(f > base);
			return f;
		}
	}
	return NULL;
}

/* Drops the innermost instances above f that are suspended.  None is behind a barrier, which waits for all of them. */
static void drop_suspended(struct ompp_thread *t, const struct ompp_frame *f)
{
	if (f->flags & OMPP_FRAME_BARRIER)
		return;
	while (t->base > f && t->base->flags & OMPP_FRAME_UNTIED && t->top > t->base)
		ompp_instance_drop(t);
}

void ompp_exit_cold(struct ompp_thread *t, uint64_t key, uint64_t now)
{
	struct ompp_frame *f;

	if (t == &ompp_cold_thread)
		return;
	if (t->n_over) {
		if (!--t->n_over)
			ompp_set_top(t, t->top - 1);
		return;
	}
	ompp_instance_drop_moved(t);
	f = find_open(t, key);
	if (!f) {
		OMPP_ADD(&t->n_stray, 1);
		return;
	}
	drop_suspended(t, f);
	ompp_unwind(t, f, now);
	if (t->top != f) { /* of an instance that has continued in another thread; its segment is gone */
		OMPP_ADD(&t->n_stray, 1);
		return;
	}
	OMPP_ADD(&f[-1].task_ticks, ompp_frame_others(f));
	ompp_pop(t, f, now);
}
