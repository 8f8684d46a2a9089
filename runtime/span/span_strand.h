/*
 * Span, strands: what the members of outermost teams do, cut where it could be done by another thread (strand.h), and
 * how long the team would take with other numbers of threads (predict.h).
 */
#ifndef OMPP_SPAN_SPAN_STRAND_H
#define OMPP_SPAN_SPAN_STRAND_H

#include "runtime/span/span.h"

/* Keep the strand that a task is in, which is not short, and the end of a wait; where strands are kept.  COLD. */
void ompp_span_keep_strand(struct ompp_span *s, struct ompp_span_task *task);
void ompp_span_keep_wait(struct ompp_span *s, struct ompp_span_task *task);

static inline __attribute__((always_inline)) int ompp_span_strand_is_long(const struct ompp_span_task *task)
{
	return __builtin_expect((task->path.ticks - task->strand_ticks) >> OMPP_STRAND_SHORT_BITS != 0, 0);
}

/* Adds the strand that a task is in, which is short; the caller begins the next one.  HOT. */
static inline __attribute__((always_inline)) void ompp_span_end_short_strand(struct ompp_span *s,
                                                                             const struct ompp_span_task *task)
{
	uint64_t from = task->strand_ticks, ticks = task->path.ticks - from;

	if (s->strands && ticks)
		ompp_strands_add_short(s->strands, from, ticks, s->last_ticks);
}

/* Ends the strand that a task is in, no part of which another thread could have done.  HOT. */
static inline void ompp_span_cut(struct ompp_span *s, struct ompp_span_task *task)
{
	if (!ompp_span_strand_is_long(task))
		ompp_span_end_short_strand(s, task);
	else if (s->strands)
		ompp_span_keep_strand(s, task);
	task->strand_ticks = task->path.ticks;
}

/* Says that a task goes on behind a taskwait.  That is kept also where its path is none the longer: with fewer threads
 * it might have to wait. */
static inline void ompp_span_waited(struct ompp_span *s, struct ompp_span_task *task)
{
	if (__builtin_expect(atomic_load_explicit(&task->has_long_kids, memory_order_relaxed), 0))
		ompp_span_keep_wait(s, task);
}

/* Adds an inner team that has made the path of a task longer.
 * place: of its fork; before: the path's length at the fork */
void ompp_span_divided_team(struct ompp_span *s, struct ompp_span_task *task, uint32_t place, uint64_t before);

/* Lets what a member does be kept; NULL without memory, or when the team before has not been looked at yet. */
struct ompp_strands *ompp_span_strands_start(struct ompp_span *s, uint32_t rank, uint64_t base_ticks);

/* Hands the strands of a member that ends to its team. */
void ompp_span_strands_hand(struct ompp_strands *strands, struct ompp_span_team *team);

/* Gives the strands of a team back to the members. */
void ompp_span_strands_free(struct ompp_span_team *team);

/* Adds to a region's sums how long a team that the running task has joined would take with other numbers of threads. */
void ompp_span_predict(struct ompp_span *s, struct ompp_span_team *team, struct ompp_span_sum *sum);

#endif
