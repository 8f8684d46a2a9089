/*
 * Instance: see instance.h.
 */
#include "runtime/core/instance.h"

#include "runtime/core/frame.h"
#include "runtime/core/values.h"
#include "runtime/sources/source.h"

/* Below f are the instance that f's instance interrupted, and above that one any suspended untied instances: their
 * functions have returned, so their stack does not lie above f's.  Each of them remembers what it saw of f's instance,
 * so that its own end does not charge it again. */
void ompp_instance_charge(struct ompp_thread *t, const struct ompp_frame *f, uint64_t elapsed)
{
	struct ompp_frame *base = t->frames + f->outer, *under = t->frames + (f - t->frames) - 1;

	for (;; under = base - 1, base = t->frames + base->outer) {
		OMPP_ADD(&under->task_ticks, elapsed);
		OMPP_ADD(&under->node->n_tasks, 1);
		if (ompp_metrics.n)
			ompp_values_charge(t, under, f);
		if (!(base->flags & OMPP_FRAME_UNTIED) || under->stack > f->stack)
			return;
		OMPP_ADD(&base->suspended_ticks, elapsed);
		if (ompp_metrics.n)
			ompp_values_charge_base(t, base, f);
	}
}

static void drop_segment(struct ompp_thread *t)
{
	struct ompp_frame *base = t->base, *top = t->top, *f;
	uint64_t suspended = top->start_ticks; /* the event at which it went away opened the top frame */
	uint64_t earlier = base->suspended_ticks > top->task_ticks ? base->suspended_ticks - top->task_ticks : 0;

	/* What ran while the instance was suspended was added to the top frame's task_ticks, but is not a part of the
	 * instance. */
	for (f = top - 1; f >= base; f--)
		if (!(f->flags & OMPP_FRAME_FOLDED) && (int64_t)(suspended - f->start_ticks) > 0) {
			OMPP_ADD(&f->node->ticks, suspended - f->start_ticks);
			OMPP_ADD(&f->node->task_ticks, f->task_ticks);
		}
	if (ompp_metrics.n)
		ompp_values_suspend(t, base);
	ompp_set_top(t, base - 1);
	ompp_thread_leave_base(t);
	if ((int64_t)(suspended - base->start_ticks - earlier) > 0)
		ompp_instance_charge(t, base, suspended - base->start_ticks - earlier);
}

void ompp_instance_drop_moved(struct ompp_thread *t)
{
	while (__builtin_expect(t->base->flags & OMPP_FRAME_UNTIED, 0) &&
	       __atomic_load_n(&t->base->flags, __ATOMIC_ACQUIRE) & OMPP_FRAME_MOVED)
		drop_segment(t);
}
