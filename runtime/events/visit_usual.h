/*
 * Visit, usual: what the enters and exits of regions have in common that need no slow path, for functions that do more
 * at the same event (visit.c, task_path.c).
 */
#ifndef OMPP_EVENTS_VISIT_USUAL_H
#define OMPP_EVENTS_VISIT_USUAL_H

#include "runtime/events/visit.h"
#include "runtime/span/span_usual.h"

/* Returns the node that the region has below the frame on top, or NULL where its begin is unusual. */
static inline __attribute__((always_inline)) struct ompp_callnode *ompp_visit_usual_node(const struct ompp_thread *t,
                                                                                         uint64_t key,
                                                                                         struct ompp_caller caller)
{
	const struct ompp_frame *top = t->top;

	if (__builtin_expect(top >= t->limit, 0) || __builtin_expect(top->stack < caller.stack, 0) ||
	    __builtin_expect(top->key == key, 0) || ompp_thread_is_sampled(t))
		return NULL;
	return ompp_callnode_child(top->node, key);
}

/* Ends the visit on top.  Returns 0, and has changed nothing, where that is unusual.
 * is_seen: the caller has seen that it has no flags, and that no mode is unusual
 * is_on_path: the longest path is looked for
 * idle_ticks: NULL; or, where the caller has taken the thread's part of the path, which has no clocks, and the visit is
 *     one that waits, how long the thread was idle before the end */
static inline __attribute__((always_inline)) int ompp_visit_exit_usual(struct ompp_thread *t, uint64_t key,
                                                                       uint64_t now, int is_seen, int is_on_path,
                                                                       struct ompp_span *taken, uint64_t *idle_ticks)
{
	const uint32_t usual = OMPP_MODE_OFF | OMPP_MODE_STORMS | OMPP_MODE_CLOCK | (is_on_path ? OMPP_MODE_SPAN : 0);
	struct ompp_frame *f = t->top;
	uint64_t elapsed = now - f->start_ticks, task_ticks = f->task_ticks, inside = 0;

	if (idle_ticks && __builtin_expect(!(f->node->place & OMPP_PLACE_WAITS), 0))
		return 0;
	if (__builtin_expect((int64_t)elapsed < 0, 0) || __builtin_expect(f->key != key, 0) ||
	    ompp_thread_is_sampled(t) || ompp_course_is_due(t, now) ||
	    (!is_seen && __builtin_expect(f->flags != 0 || OMPP_LOAD(&ompp_modes) & ~usual, 0)))
		return 0;
	/* This is the same as in ompp_frame_time(). */
	if (__builtin_expect(task_ticks != 0, 0)) {
		inside = f->node->head->once_ticks - f->once_before;
		if (__builtin_expect(inside > task_ticks || inside > elapsed, 0))
			return 0;
		OMPP_ADD(&f[-1].task_ticks, task_ticks);
	}
	if (t->base->flags & OMPP_FRAME_TASK && !f->node->same)
		OMPP_STORE(&f->node->head->once_ticks, f->once_before + elapsed);
	if (idle_ticks)
		*idle_ticks = ompp_span_idle(taken, now);
	else if (is_on_path)
		ompp_frame_end_stretch_inline(t, f->node, now);
	ompp_visit_pop(t, f, elapsed - inside, task_ticks - inside);
	return 1;
}

#endif
