/*
 * Span, coarser: see span_coarser.h.
 */
#include "runtime/span/span_coarser.h"

#include "runtime/base/relaxed.h"
#include "runtime/program/openmp.h"
#include "runtime/span/schedule.h"

/* Returns the part of the taskloop that the running task has begun last; NULL where nothing is looked for. */
static struct ompp_span_coarser *coarser_of(const struct ompp_span *s)
{
	const struct ompp_span_task *loop = s->loops;

	return loop && loop->parent == *s->at && loop->variants ? &loop->variants->coarser : NULL;
}

void ompp_span_coarser_begin(struct ompp_span *s, uint32_t region, uint64_t now)
{
	struct ompp_span_coarser *coarser = ompp_span_clock(s) ? coarser_of(s) : NULL;

	if (!coarser || OMPP_LOAD(&ompp_variants_kept) != OMPP_VARIANTS_ALL ||
	    s->loops->flags & (OMPP_SPAN_UNDEFERRED | OMPP_SPAN_FINAL))
		return;
	coarser->variant = ompp_variant_find(OMPP_VARIANT_SCHEDULED, region);
	coarser->base_ticks = s->loops->path.ticks;
	coarser->from_time = now;
	coarser->make_ticks = 0;
	atomic_store_explicit(&coarser->n_tasks, 0, memory_order_relaxed);
	atomic_store_explicit(&coarser->n_elsewhere, 0, memory_order_relaxed);
	atomic_store_explicit(&coarser->ticks, 0, memory_order_relaxed);
	atomic_store_explicit(&coarser->most_ticks, 0, memory_order_relaxed);
}

void ompp_span_coarser_iterate(struct ompp_span *s, const struct ompp_span_task *loop, int is_first, uint64_t now)
{
	struct ompp_span_coarser *coarser = &loop->variants->coarser;
	uint64_t ticks;

	if (coarser->variant < 0)
		return;
	if (is_first)
		atomic_fetch_add_explicit(&coarser->n_tasks, 1, memory_order_relaxed);
	if (loop->parent != *s->at)
		atomic_fetch_add_explicit(&coarser->n_elsewhere, 1, memory_order_relaxed);
	if (loop->parent != *s->at || !coarser->from_time || !s->clock)
		return;
	ticks = now - coarser->from_time;
	coarser->from_time = 0;
	coarser->make_ticks = ticks;
	ompp_variant_work(s->clock, OMPP_NO_VARIANT, ticks);
	s->clock->gain_ticks[coarser->variant] += ticks - ticks / OMPP_COARSER;
}

void ompp_span_coarser_iterated(const struct ompp_span_task *iteration)
{
	struct ompp_span_coarser *coarser = &iteration->variants->taskloop->coarser;
	uint64_t ticks = iteration->path.ticks - coarser->base_ticks;
	uint64_t most = atomic_load_explicit(&coarser->most_ticks, memory_order_relaxed);

	atomic_fetch_add_explicit(&coarser->ticks, iteration->path.ticks - iteration->start_path_ticks,
	                          memory_order_relaxed);
	while (most < ticks && !atomic_compare_exchange_weak_explicit(&coarser->most_ticks, &most, ticks,
	                                                              memory_order_relaxed, memory_order_relaxed))
		;
}

/* Returns how many threads the team of the running task has; 0 where it is not known. */
static uint64_t team_size(const struct ompp_span *s)
{
	const struct ompp_span_team *team = s->member ? s->member->team : NULL;

	if (!team || !team->is_outermost)
		return 0;
	return atomic_load_explicit(&team->n_members, memory_order_relaxed) +
	       atomic_load_explicit(&team->n_unseen, memory_order_relaxed);
}

/* Returns what it gains if all threads of the team share the tasks that one has executed; 0 where they would not. */
static uint64_t shared_gain(const struct ompp_span_coarser *coarser, uint64_t n_threads)
{
	uint64_t n = atomic_load_explicit(&coarser->n_tasks, memory_order_relaxed);
	uint64_t ticks = atomic_load_explicit(&coarser->ticks, memory_order_relaxed);

	if (!ompp_openmp_is_gnu() || n_threads < 2 || n <= OMPP_MOST_TASKS * n_threads ||
	    n / OMPP_COARSER > OMPP_MOST_TASKS * n_threads)
		return 0;
	return ticks - ticks / n_threads;
}

struct ompp_coarser_gain ompp_span_coarser_end(const struct ompp_span *s)
{
	struct ompp_span_coarser *coarser = coarser_of(s);
	struct ompp_coarser_gain gain = { coarser ? coarser->variant : OMPP_NO_VARIANT, 0 };
	uint64_t n_threads = team_size(s), longest;

	if (gain.variant < 0)
		return gain;
	longest = OMPP_COARSER * atomic_load_explicit(&coarser->most_ticks, memory_order_relaxed);
	if (!atomic_load_explicit(&coarser->n_elsewhere, memory_order_relaxed))
		gain.ticks = shared_gain(coarser, n_threads);
	if (gain.ticks || coarser->make_ticks)
		ompp_scheduled_add(gain.variant,
		                   &(struct ompp_scheduled){
					   .n = atomic_load_explicit(&coarser->n_tasks, memory_order_relaxed),
					   .spread_ticks = longest - (n_threads ? longest / n_threads : 0),
					   .chunk = OMPP_COARSER });
	coarser->variant = OMPP_NO_VARIANT;
	return gain;
}

void ompp_span_coarser_gain(const struct ompp_span *s, struct ompp_coarser_gain gain)
{
	if (gain.ticks && s->clock)
		s->clock->gain_ticks[gain.variant] += gain.ticks;
}
