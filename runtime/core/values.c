/*
 * Values: see values.h.
 */
#include "runtime/core/values.h"

#include <stdatomic.h>

#include "runtime/core/session.h"
#include "runtime/host/note.h"
#include "runtime/sources/source.h"

static uint64_t *at_frame(const struct ompp_thread *t, uint64_t *values, const struct ompp_frame *f)
{
	return values + (size_t)(f - t->frames) * ompp_metrics.n;
}

/* Returns 1 when the values are read for this frame.  An untied instance may be suspended at any event, and then its
 * values there must be known. */
static int is_read(const struct ompp_thread *t, const struct ompp_frame *f)
{
	return f->node->is_read || t->base->flags & OMPP_FRAME_UNTIED;
}

void ompp_values_read(struct ompp_thread *t, uint64_t *values)
{
	uint32_t n_switches = OMPP_LOAD(&ompp_session.n_switches), is_off = n_switches & 1, was_off = t->n_switches & 1;
	size_t i;

	ompp_sources_read(t->source_state, values);
	if (__builtin_expect(!n_switches, 1))
		return;
	for (i = 0; i < ompp_metrics.n; i++) {
		if (is_off && !was_off)
			t->held_values[i] = values[i] - t->off_values[i];
		if (!is_off && was_off)
			t->off_values[i] = values[i] - t->held_values[i];
		values[i] = is_off ? t->held_values[i] : values[i] - t->off_values[i];
	}
	t->n_switches = n_switches;
}

void ompp_values_switch(struct ompp_thread *t)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire), i;
	uint64_t values[OMPP_MAX_METRICS];

	if (t->limit)
		ompp_values_read(t, values);
	for (i = 0; i < n; i++)
		ompp_note_add(OMPP_NOTE_SWITCHED,
		              ompp_threads[i] != t && OMPP_LOAD(&ompp_threads[i]->top) != ompp_threads[i]->frames);
}

void ompp_values_enter(struct ompp_thread *t, struct ompp_frame *f)
{
	uint64_t *values = at_frame(t, t->frame_values, f);

	if (!is_read(t, f))
		return;
	OMPP_STORE(&values[0], 0); /* touches its page, before page faults are counted */
	OMPP_STORE(&values[ompp_metrics.n - 1], 0);
	ompp_values_read(t, values);
}

/* Adds what was counted from the enter to now, less what other instances counted. */
static void add_values(struct ompp_thread *t, const struct ompp_frame *f, const uint64_t *now)
{
	const uint64_t *before = at_frame(t, t->frame_values, f), *tasks = at_frame(t, t->task_values, f);
	size_t i;

	for (i = 0; i < ompp_metrics.n; i++)
		OMPP_ADD(&f->node->values[i], now[i] - before[i] - (f->flags & OMPP_FRAME_TASK_VALUES ? tasks[i] : 0));
}

/* Adds to a frame's values of a kind, or sets them when they are the first. */
static void values_gather(struct ompp_frame *f, uint32_t flag, uint64_t *have, const uint64_t *more)
{
	size_t i;

	for (i = 0; i < ompp_metrics.n; i++)
		have[i] = (f->flags & flag ? have[i] : 0) + more[i];
	OMPP_OR(&f->flags, flag);
}

/* Hands what other instances counted inside to the frame below, which has not counted it either; not outside of the
 * outermost team, where they are no other instances. */
static void hand_down(struct ompp_thread *t, struct ompp_frame *f)
{
	if (!(f->flags & OMPP_FRAME_TASK_VALUES) || f->flags & OMPP_FRAME_TASK ||
	    (f->flags & OMPP_FRAME_TEAM && t->base == t->frames))
		return;
	values_gather(f - 1, OMPP_FRAME_TASK_VALUES, at_frame(t, t->task_values, f - 1),
	              at_frame(t, t->task_values, f));
}

/* Notes that a task's base ends, or is suspended, with the values `now`: replaces its values at the enter by what it
 * counted. */
static void leave_count(struct ompp_thread *t, const struct ompp_frame *f, const uint64_t *now)
{
	uint64_t *values = at_frame(t, t->frame_values, f);
	size_t i;

	for (i = 0; i < ompp_metrics.n; i++)
		values[i] = now[i] - values[i] -
		            (f->flags & OMPP_FRAME_SUSPENDED_VALUES ? at_frame(t, t->suspended_values, f)[i] : 0);
}

void ompp_values_exit(struct ompp_thread *t, struct ompp_frame *f)
{
	uint64_t now[OMPP_MAX_METRICS];

	hand_down(t, f);
	if (!f->node->is_read)
		return;
	ompp_values_read(t, now);
	add_values(t, f, now);
	if (f->flags & OMPP_FRAME_TASK)
		leave_count(t, f, now);
}

void ompp_values_folded(struct ompp_thread *t, struct ompp_frame *f)
{
	uint64_t now[OMPP_MAX_METRICS];

	hand_down(t, f);
	if (!(f->flags & OMPP_FRAME_TASK))
		return;
	ompp_values_read(t, now);
	leave_count(t, f, now);
}

void ompp_values_suspend(struct ompp_thread *t, struct ompp_frame *base)
{
	const uint64_t *now = at_frame(t, t->frame_values, t->top);
	uint64_t *suspended = at_frame(t, t->suspended_values, base);
	const uint64_t *since = at_frame(t, t->task_values, t->top);
	struct ompp_frame *f;
	size_t i;

	for (f = t->top - 1; f >= base; f--) {
		if (!(f->flags & OMPP_FRAME_FOLDED) && f->node->is_read)
			add_values(t, f, now);
		hand_down(t, f);
	}
	/* What ran since the instance went away is not in `now`.  Of it those below were charged for what is in
	 * `suspended`, too. */
	if (t->top->flags & OMPP_FRAME_TASK_VALUES) {
		for (i = 0; i < ompp_metrics.n; i++)
			suspended[i] = (base->flags & OMPP_FRAME_SUSPENDED_VALUES ? suspended[i] : 0) - since[i];
		OMPP_OR(&base->flags, OMPP_FRAME_SUSPENDED_VALUES);
	}
	leave_count(t, base, now);
}

void ompp_values_charge(struct ompp_thread *t, struct ompp_frame *under, const struct ompp_frame *f)
{
	values_gather(under, OMPP_FRAME_TASK_VALUES, at_frame(t, t->task_values, under),
	              at_frame(t, t->frame_values, f));
}

void ompp_values_charge_base(struct ompp_thread *t, struct ompp_frame *base, const struct ompp_frame *f)
{
	values_gather(base, OMPP_FRAME_SUSPENDED_VALUES, at_frame(t, t->suspended_values, base),
	              at_frame(t, t->frame_values, f));
}
