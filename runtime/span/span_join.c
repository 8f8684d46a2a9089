/*
 * Span, joins: see span_join.h.
 */
#include "runtime/span/span_join.h"

/* Hands over the lengths of a path.  Returns 1 when it is the longest so far. */
static int hand_lengths(struct ompp_span_join *join, const struct ompp_span_task *task, uint64_t end_ticks)
{
	ompp_span_raise(&join->burdened_ticks, ompp_span_burdened(task));
	ompp_span_raise(&join->fixed_ticks, ompp_span_fixed(task));
	ompp_span_raise(&join->end_ticks, end_ticks);
	if (atomic_load_explicit(&join->ticks, memory_order_relaxed) >= task->path.ticks)
		return 0;
	ompp_span_raise(&join->ticks, task->path.ticks);
	return 1;
}

/* Puts a record into a join.  Two may come at once: who takes a longer one out puts that back, so that the longest of
 * all is there when all have come. */
static void join_put(struct ompp_span *s, struct ompp_span_join *join, struct ompp_span_task *task)
{
	struct ompp_span_task *old;

	while ((old = atomic_exchange_explicit(&join->others, task, memory_order_acq_rel))) {
		if (old->path.ticks <= task->path.ticks) {
			ompp_span_unref(s, old);
			return;
		}
		task = old;
	}
}

void ompp_span_hand_to(struct ompp_span *s, struct ompp_span_join *join, struct ompp_span_task *task)
{
	if (hand_lengths(join, task, task->ready_ticks))
		join_put(s, join, task);
	else
		ompp_span_unref(s, task);
}

void ompp_span_hand_path(struct ompp_span *s, struct ompp_span_join *join, const struct ompp_span_task *task,
                         uint64_t now)
{
	struct ompp_span_task *copy;

	if (hand_lengths(join, task, now) && (copy = ompp_span_snapshot(s, task)))
		join_put(s, join, copy);
}

void ompp_span_go_on_shared(struct ompp_span_task *task, const struct ompp_span_join *join)
{
	ompp_span_go_on(task, atomic_load_explicit(&join->others, memory_order_acquire),
	                atomic_load_explicit(&join->burdened_ticks, memory_order_relaxed),
	                atomic_load_explicit(&join->fixed_ticks, memory_order_relaxed));
}

uint64_t ompp_span_leaving(const struct ompp_span *s, const struct ompp_span_join *join, uint64_t now)
{
	uint64_t end = atomic_load_explicit(&join->end_ticks, memory_order_relaxed), since = now - end;

	return end && (int64_t)since >= 0 && since < s->idle_ticks ? since : s->idle_ticks;
}

void ompp_span_join_take(struct ompp_span *s, struct ompp_span_task *task, struct ompp_span_join *join)
{
	struct ompp_span_task *others;

	if (join->mine)
		ompp_span_take_mine(s, task, join);
	/* Nothing here orders this behind what other threads wrote: the OpenMP library's wait did, which ended when the
	 * tasks had, before this is called. */
	if (!atomic_load_explicit(&join->end_ticks, memory_order_relaxed))
		return; /* then others has no record, either: end_ticks is raised before it */
	others = atomic_exchange_explicit(&join->others, NULL, memory_order_acq_rel);
	ompp_span_go_on(task, others, atomic_load_explicit(&join->burdened_ticks, memory_order_relaxed),
	                atomic_load_explicit(&join->fixed_ticks, memory_order_relaxed));
	ompp_span_join_clear(join);
	if (others)
		ompp_span_unref(s, others);
}
