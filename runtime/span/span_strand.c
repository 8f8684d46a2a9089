/*
 * Span, strands: see span_strand.h.
 */
#include "runtime/span/span_strand.h"

#include "runtime/base/relaxed.h"
#include "runtime/base/space.h"
#include "runtime/host/clock.h"
#include "runtime/program/openmp.h"
#include "runtime/span/place.h"
#include "runtime/span/predict.h"
#include "runtime/span/span_limit.h"
#include "runtime/span/span_record.h"

/* Predictions take at most this part of the time of the teams; and where the path may be given up, those of regions
 * that were predicted before. */
enum { PREDICT_SHARE = 16, LIMITED_SHARE = 128 };

static enum ompp_strand_kind kind_of(uint32_t place)
{
	return place & OMPP_PLACE_OWN ? OMPP_STRAND_OWN : OMPP_STRAND_SHARE;
}

/* Returns a record's number, which it gets if it has none.  Its thread and those of its children may ask at once. */
static uint32_t number_of(struct ompp_span_task *task)
{
	static _Atomic uint32_t last;
	uint32_t number = atomic_load_explicit(&task->number, memory_order_relaxed), mine;

	if (number)
		return number;
	mine = (1 + atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) % (OMPP_STRAND_MEMBER - 1)) |
	       (task->parent ? 0 : OMPP_STRAND_MEMBER);
	return atomic_compare_exchange_strong_explicit(&task->number, &number, mine, memory_order_relaxed,
	                                               memory_order_relaxed)
	             ? mine
	             : number;
}

/* Only of the thread's part of the team and of what was created the place in the forest is known. */
static struct ompp_strand_of strand_of(struct ompp_span *s, struct ompp_span_task *task)
{
	struct ompp_span_task *parent = task->parent;

	if (task->items || task->groups || task->flags & OMPP_SPAN_ITERATION || (!parent && task != s->member))
		s->strands->has_other_edges = 1;
	if (!parent)
		return (struct ompp_strand_of){ .task = number_of(task) };
	if (task->flags & OMPP_SPAN_UNDEFERRED ||
	    (task->flags & (OMPP_SPAN_ITERATION | OMPP_SPAN_GROUPED)) == OMPP_SPAN_ITERATION)
		s->strands->has_bound = 1;
	atomic_store_explicit(&parent->has_long_kids, 1, memory_order_relaxed);
	return (struct ompp_strand_of){ .task = number_of(task),
		                        .creator = number_of(parent),
		                        .created_ticks = task->start_path_ticks,
		                        .is_undeferred = (task->flags & OMPP_SPAN_UNDEFERRED) != 0 };
}

void ompp_span_keep_strand(struct ompp_span *s, struct ompp_span_task *task)
{
	ompp_strands_add_long(s->strands, strand_of(s, task), task->strand_ticks, task->path.ticks - task->strand_ticks,
	                      s->last_ticks);
}

void ompp_span_keep_wait(struct ompp_span *s, struct ompp_span_task *task)
{
	atomic_store_explicit(&task->has_long_kids, 0, memory_order_relaxed);
	if (s->strands)
		ompp_strands_add_wait(s->strands, strand_of(s, task), task->path.ticks);
}

void ompp_span_divided(struct ompp_span *s, struct ompp_span_task *task, uint32_t place, uint64_t ticks)
{
	ompp_span_takes_long(s, OMPP_SPAN_DIVIDED_EVENTS);
	if (place & OMPP_PLACE_LOOP)
		task->loose_ticks += ticks;
	if (!s->strands)
		return;
	if (place & OMPP_PLACE_LOCKED)
		ompp_strands_add_locked(s->strands, ompp_place_region(place >> OMPP_PLACE_SHIFT), ticks);
	if (!(place & OMPP_PLACE_LOOP) || task != s->member)
		return;
	ompp_span_cut(s, task);
	ompp_strands_add_other(s->strands, kind_of(place), task->path.ticks, ticks, s->last_ticks);
	task->strand_ticks += ticks;
}

void ompp_span_divided_team(struct ompp_span *s, struct ompp_span_task *task, uint32_t place, uint64_t before)
{
	if (!s->strands || task != s->member || !(place & OMPP_PLACE_LOOP))
		return;
	if (before > task->strand_ticks)
		ompp_strands_add_chain(s->strands, task->strand_ticks, before - task->strand_ticks, s->last_ticks);
	ompp_strands_add_other(s->strands, kind_of(place), before, task->path.ticks - before, s->last_ticks);
	task->strand_ticks = task->path.ticks;
}

struct ompp_strands *ompp_span_strands_start(struct ompp_span *s, uint32_t rank, uint64_t base_ticks)
{
	struct ompp_strands *p = s->own_strands;

	if (!p)
		s->own_strands = p = ompp_space_reserve(sizeof(*p));
	if (!p || atomic_load_explicit(&p->is_taken, memory_order_acquire))
		return NULL;
	ompp_strands_reset(p, rank, base_ticks);
	return p;
}

void ompp_span_strands_hand(struct ompp_strands *strands, struct ompp_span_team *team)
{
	struct ompp_strands *first = atomic_load_explicit(&team->strands, memory_order_relaxed);

	atomic_store_explicit(&strands->is_taken, 1, memory_order_relaxed);
	do
		strands->next = first;
	while (!atomic_compare_exchange_weak_explicit(&team->strands, &first, strands, memory_order_release,
	                                              memory_order_relaxed));
}

void ompp_span_strands_free(struct ompp_span_team *team)
{
	struct ompp_strands *p = atomic_exchange_explicit(&team->strands, NULL, memory_order_acquire), *next;

	for (; p; p = next) {
		next = p->next;
		atomic_store_explicit(&p->is_taken, 0, memory_order_release);
	}
}

/* Schedules a team's strands, unless that has taken too much already.  The stretch goes on behind it. */
static void predict_in_time(struct ompp_span *s, const struct ompp_span_team *team, struct ompp_predict_team *what,
                            struct ompp_prediction *prediction)
{
	uint64_t begin = ompp_clock(), end;
	uint64_t share = ompp_span_is_limited && prediction->n ? LIMITED_SHARE : PREDICT_SHARE;

	what->elapsed_ticks = begin - team->fork_ticks;
	what->is_gnu = ompp_openmp_is_gnu();
	s->team_ticks += what->elapsed_ticks;
	if (s->predict_ticks > s->team_ticks / share && (prediction->n || ompp_span_is_limited))
		return;
	ompp_predict(&s->predictor, what, prediction);
	end = ompp_clock();
	s->predict_ticks += end - begin;
	s->last_ticks += end - begin;
}

void ompp_span_predict(struct ompp_span *s, struct ompp_span_team *team, struct ompp_span_sum *sum)
{
	const struct ompp_span_task *task = *s->at, *start = team->start;
	struct ompp_predict_team what = { .strands = atomic_load_explicit(&team->strands, memory_order_acquire),
		                          .n_threads = atomic_load_explicit(&team->n_members, memory_order_relaxed),
		                          .span_ticks = task->path.ticks - start->path.ticks,
		                          .chain_ticks = ompp_span_fixed(task) - ompp_span_fixed(start),
		                          .burden_ticks = ompp_span_burdened(task) - ompp_span_burdened(start) -
		                                          (task->path.ticks - start->path.ticks) };
	uint32_t n = 0;

	for (const struct ompp_strands *p = what.strands; p; p = p->next)
		n++;
	if (n != what.n_threads || atomic_load_explicit(&team->n_unseen, memory_order_relaxed))
		return;
	if (!sum->prediction)
		__atomic_store_n(&sum->prediction, ompp_space_take(sizeof(*sum->prediction)), __ATOMIC_RELEASE);
	if (sum->prediction)
		predict_in_time(s, team, &what, sum->prediction);
}
