/*
 * Unwind: see unwind.h.
 */
#include "runtime/core/unwind.h"

#include <signal.h>

#include "runtime/base/check.h"
#include "runtime/base/sys.h"
#include "runtime/core/frame.h"
#include "runtime/core/instance.h"
#include "runtime/core/region.h"
#include "runtime/core/team_data.h"
#include "runtime/host/clock.h"

/* Returns when the open frames of this thread ended at the latest: with the teams that it is in.  A member that was
 * cancelled sees that at its next event, which may be much later. */
static uint64_t ended_until(const struct ompp_thread *t, uint64_t now)
{
	const struct ompp_frame *f;

	for (f = ompp_team_base(t, t->base); f != t->frames; f = ompp_team_base(t, t->frames + f->outer))
		now = ompp_team_until(f->team, f->instance, now);
	return now;
}

/* Ends the part of the longest path of an instance, or of a member of a team, that was left. */
static void end_path(struct ompp_thread *t, const struct ompp_frame *f, uint64_t now)
{
	struct ompp_span *s = ompp_frame_take_span_of(t, f);

	if (!s)
		return;
	if (f->flags & OMPP_FRAME_TEAM)
		ompp_span_member_end(s, ompp_team_span(f), f->team->forker == t, now);
	else
		ompp_span_left(s, now);
	ompp_frame_show_span(t, s);
}

void ompp_unwind(struct ompp_thread *t, struct ompp_frame *to, uint64_t now)
{
	struct ompp_frame *f;
	uint64_t until, elapsed;
	int is_base, was_off;

	ompp_assert(to >= t->frames && to <= t->top);
	t->n_over = 0;
	if (t->top > t->limit)
		ompp_set_top(t, t->limit);
	ompp_instance_drop_moved(t);
	ompp_frames_check(t);
	until = ended_until(t, now);
	for (f = t->top; f > to; f = t->top) {
		if (!(f->flags & (OMPP_FRAME_TASK | OMPP_FRAME_TEAM)))
			OMPP_ADD(&f[-1].task_ticks, ompp_frame_others(f));
		if (f->flags & OMPP_FRAME_TEAM)
			ompp_team_left(f, until);
		else if (OMPP_KEY_PART(f->key) == OMPP_PART_FORK)
			ompp_team_free(t, f->team, now);
		is_base = f == t->base;
		if (is_base)
			ompp_thread_leave_base(t);
		was_off = f->flags & OMPP_FRAME_OFF;
		elapsed = ompp_frame_end(t, f, until);
		if (is_base)
			end_path(t, f, until);
		if (elapsed || !was_off)
			OMPP_ADD(&t->n_left, 1);
		if (f->flags & OMPP_FRAME_TASK && elapsed > f->suspended_ticks)
			ompp_instance_charge(t, f, elapsed - f->suspended_ticks);
		ompp_frame_show(t, f - 1);
		ompp_instance_drop_moved(t);
		if (is_base)
			until = ended_until(t, now);
	}
}

int ompp_unwind_is_on_signal_stack(void)
{
	stack_t have;

	return !ompp_sys_sigaltstack(NULL, &have) && have.ss_flags & SS_ONSTACK;
}

/* The innermost frames were left if they belong to functions that have returned (their stack pointers lie below the
 * caller's), or if the same place enters the same region again. */
void ompp_unwind_left(struct ompp_thread *t, uint64_t key, struct ompp_caller caller)
{
	struct ompp_frame *f;

	ompp_instance_drop_moved(t);
	f = t->top;
	if (ompp_unwind_is_on_signal_stack())
		return;
	while (f > t->base && ompp_frame_is_left(f, key, caller))
		f--;
	/* A task instance whose function has returned is suspended (untied), or was left as a whole with its frames.  A
	 * suspended one may go on elsewhere, so its segment stays. */
	if (f < t->top)
		ompp_unwind(t, f, ompp_clock());
}

/* The region is entered at a node that is new.  When it is already open, by the same instruction with the same stack,
 * that visit was left with all that is open in it, for instance by a jump that was not seen. */
void ompp_unwind_again(struct ompp_thread *t, uint64_t key, struct ompp_caller caller)
{
	struct ompp_frame *f;

	for (f = t->top; f > t->base && !(f->key == key && ompp_frame_is_left(f, key, caller)); f--)
		;
	if (f > t->base && !ompp_unwind_is_on_signal_stack())
		ompp_unwind(t, f - 1, ompp_clock());
}
