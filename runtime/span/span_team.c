/*
 * Span, teams: the parts of threads in teams, from the fork to the join; see span.h.
 */
#include <stdatomic.h>

#include "runtime/base/relaxed.h"
#include "runtime/span/span.h"
#include "runtime/span/span_depend.h"
#include "runtime/span/span_iterations.h"
#include "runtime/span/span_join.h"
#include "runtime/span/span_pool.h"
#include "runtime/span/span_record.h"
#include "runtime/span/span_stack.h"
#include "runtime/span/span_strand.h"
#include "runtime/span/span_variant.h"

/* Makes the record of a thread's part: of a team, or of the serial program. */
static struct ompp_span_task *push_member(struct ompp_span *s, const struct ompp_span_task *from, uint64_t now)
{
	struct ompp_span_task *member = ompp_span_pool_take(s);

	if (!member) {
		ompp_span_push(s, NULL);
		return NULL;
	}
	ompp_span_start(member, from, now);
	member->parent = NULL;
	member->team = NULL;
	member->strands = NULL;
	member->n_barriers = 0;
	member->runs_in = s;
	member->outer = s->member;
	member->work_before = s->work_ticks;
	ompp_span_push(s, member);
	s->member = member;
	s->strands = NULL;
	s->last_ticks = now;
	ompp_span_variants_start_member(s, member);
	return member;
}

void ompp_span_host(struct ompp_span *s, uint64_t now)
{
	static const struct ompp_span_task nothing;

	ompp_span_reset(s);
	push_member(s, &nothing, now);
}

void ompp_span_fork(struct ompp_span *s, struct ompp_span_team *team, uint64_t now)
{
	struct ompp_span_task *task = *s->at;

	ompp_span_takes_long(s, OMPP_SPAN_FORK_EVENTS);
	for (int i = 0; i < 2; i++) { /* what is left of a team that was not joined */
		struct ompp_span_task *old = atomic_exchange_explicit(&team->joins[i].others, NULL,
		                                                      memory_order_acquire);

		if (old)
			ompp_span_unref(s, old);
		ompp_span_join_clear(&team->joins[i]);
	}
	team->start = task ? ompp_span_snapshot(s, task) : NULL;
	team->fork_ticks = now;
	team->own_ticks = 0;
	ompp_span_variants_fork(s, team);
	atomic_store_explicit(&team->work_ticks, 0, memory_order_relaxed);
	atomic_store_explicit(&team->n_members, 0, memory_order_relaxed);
	atomic_store_explicit(&team->n_unseen, 0, memory_order_relaxed);
	team->is_outermost = task && s->member && !s->member->team && task == s->member;
	ompp_span_strands_free(team);
}

void ompp_span_member(struct ompp_span *s, struct ompp_span_team *team, uint32_t rank, uint64_t now)
{
	struct ompp_span_task *member;

	ompp_span_takes_long(s, OMPP_SPAN_MEMBER_EVENTS);
	if (!team || !team->start) {
		ompp_span_push(s, NULL);
		return;
	}
	ompp_span_variants_member(s, team);
	member = push_member(s, team->start, now);
	if (!member)
		return;
	member->team = team;
	if (member->variants)
		member->variants->rank = rank;
	if (team->is_outermost) {
		member->strands = s->strands = ompp_span_strands_start(s, rank, team->start->path.ticks);
		atomic_fetch_add_explicit(s->strands ? &team->n_members : &team->n_unseen, 1, memory_order_relaxed);
	}
	member->burden_ticks += (int64_t)(now - team->fork_ticks) > 0 ? now - team->fork_ticks : 0;
}

void ompp_span_member_end(struct ompp_span *s, struct ompp_span_team *team, int is_forker, uint64_t now)
{
	struct ompp_span_task *member = ompp_span_pop(s);
	uint64_t ticks;

	if (!member)
		return;
	if (team)
		ompp_span_close(s, member); /* while it is known whose barrier is next */
	s->member = member->outer;
	s->strands = s->member ? s->member->strands : NULL;
	if (!team) { /* it is over: nobody waits for this member */
		ompp_span_settle(member);
		ompp_span_unref(s, member);
		return;
	}
	ticks = s->work_ticks - member->work_before;
	atomic_fetch_add_explicit(&team->work_ticks, ticks, memory_order_acq_rel);
	if (is_forker)
		team->own_ticks = ticks;
	member->ready_ticks = now;
	member->outer = NULL;
	if (member->strands) {
		s->strands = member->strands;
		ompp_span_cut(s, member);
		ompp_span_strands_hand(member->strands, team);
		s->strands = NULL;
	}
	ompp_span_variants_arrive(s, team, member->n_barriers);
	if (member->addresses)
		ompp_span_depend_forget(s, member);
	member->runs_in = NULL;
	ompp_span_settle(member);
	ompp_span_hand_to(s, &team->joins[member->n_barriers & 1], member);
}

/* Adds an execution of a region to its sums. */
static void sum_team(struct ompp_span *s, struct ompp_span_team *team, uint64_t work, struct ompp_span_sum *sum)
{
	const struct ompp_span_task *task = *s->at, *start = team->start;
	uint64_t span = task->path.ticks - start->path.ticks;

	OMPP_ADD(&sum->n, 1);
	OMPP_ADD(&sum->work_ticks, work);
	OMPP_ADD(&sum->span_ticks, span);
	OMPP_ADD(&sum->burdened_ticks, ompp_span_burdened(task) - ompp_span_burdened(start));
	OMPP_ADD(&sum->fixed_ticks, ompp_span_fixed(task) - ompp_span_fixed(start));
	if (span > sum->most_span_ticks)
		OMPP_STORE(&sum->most_span_ticks, span);
	if (team->is_outermost)
		ompp_span_predict(s, team, sum);
}

void ompp_span_join_team(struct ompp_span *s, struct ompp_span_team *team, struct ompp_span_sum *sum, uint32_t place)
{
	struct ompp_span_task *task = *s->at, *start = team->start;
	uint64_t work = atomic_load_explicit(&team->work_ticks, memory_order_acquire), before, strand;

	if (!task || !start)
		return;
	before = task->path.ticks;
	strand = task->strand_ticks;
	ompp_span_variants_join(s, team);
	ompp_span_join_take(s, task, &team->joins[0]);
	ompp_span_join_take(s, task, &team->joins[1]);
	task->strand_ticks = strand; /* what an inner team took is part of the strand in which it was forked */
	if (task->path.ticks > before)
		ompp_span_divided_team(s, task, place, before);
	task->burden_ticks += s->idle_ticks;
	s->work_ticks += work - team->own_ticks;
	if (sum && task->path.ticks >= start->path.ticks) /* unless a child was forked in the team */
		sum_team(s, team, work, sum);
	ompp_span_strands_free(team);
	ompp_span_unref(s, start);
	team->start = NULL;
}

void ompp_span_arrive(struct ompp_span *s, struct ompp_span_team *team, uint64_t now)
{
	struct ompp_span_task *member = s->member;

	ompp_span_takes_long(s, OMPP_SPAN_BARRIER_EVENTS);
	if (!member || *s->at != member)
		return;
	ompp_span_cut(s, member);
	ompp_span_variants_arrive(s, team, member->n_barriers);
	ompp_span_hand_path(s, &team->joins[member->n_barriers & 1], member, now);
	ompp_span_close(s, member);
}

void ompp_span_leave(struct ompp_span *s, struct ompp_span_team *team, uint32_t region, uint64_t now)
{
	struct ompp_span_task *member = s->member, *loop;
	struct ompp_span_join *join;
	struct ompp_loop_end scheduled = { OMPP_NO_VARIANT, 0 };

	if (!member || *s->at != member)
		return;
	if (ompp_span_has_clocks())
		scheduled = ompp_span_schedule(s, team);
	ompp_span_variants_leave(s, team, region, scheduled.variant);
	if (scheduled.variant >= 0)
		ompp_variant_stand(s->clock, scheduled.variant, scheduled.ticks);
	ompp_span_iterations_forget(s);
	join = &team->joins[member->n_barriers & 1];
	ompp_span_go_on_shared(member, join);
	member->burden_ticks += ompp_span_leaving(s, join, now);
	member->n_barriers++;
	if (s->strands)
		ompp_strands_next_phase(s->strands, member->n_barriers);
	if (member->addresses)
		ompp_span_depend_forget(s, member);
	atomic_store_explicit(&member->is_closed, 0, memory_order_relaxed);
	while ((loop = s->templates)) {
		s->templates = loop->next;
		ompp_span_leave_parent(s, loop->parent);
		ompp_span_pool_give(s, loop);
	}
}
