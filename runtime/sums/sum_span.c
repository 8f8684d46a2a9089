/*
 * Sum, span: see sum_span.h.
 */
#include "runtime/sums/sum_span.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/core/frame.h"
#include "runtime/host/note.h"
#include "runtime/span/place.h"
#include "runtime/span/predict.h"
#include "runtime/span/span_limit.h"
#include "runtime/span/span_record.h"

/* Ticks at a call path. */
struct sum {
	uint64_t work, on_path, n, inner_work, span, most, most_own, burdened, fixed;
	const struct ompp_prediction *prediction; /* of the one thread that forks the region; NULL without any */
};

struct ompp_merge_spans {
	uint32_t path[OMPP_MOST_PLACES]; /* by place; OMPP_NONE for one that no node has */
	struct sum *sums;                /* by call path, n of them */
	size_t n, have;
};

int ompp_spans_start(struct ompp_merge *c)
{
	struct ompp_thread *t = ompp_self;

	c->spans = NULL;
	if (!(OMPP_LOAD(&ompp_modes) & OMPP_MODE_SPAN))
		return 0;
	if (t->limit && t->top <= t->limit)
		ompp_frame_stretch(t, t->top->node, c->now);
	c->spans = ompp_arena_alloc(c->arena, sizeof(*c->spans));
	if (!c->spans)
		return -ENOMEM;
	memset(c->spans, 0, sizeof(*c->spans));
	memset(c->spans->path, 0xff, sizeof(c->spans->path));
	c->spans->path[OMPP_SERIAL_PLACE] = 0;
	return 0;
}

uint64_t ompp_spans_given_up(const struct ompp_profile *p)
{
#define GIVEN_UP(before) "the search for work and span was given up before the " before ", " OMPP_NOTE_SPAN_REASON
	static const char none[] = GIVEN_UP("first task"), forked[] = GIVEN_UP("fork of this process");
#undef GIVEN_UP
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire);
	uint64_t n_tasks = 0;

	if (p->has_span || !ompp_span_is_over())
		return 0;
	for (uint32_t i = 0; i < n; i++)
		n_tasks += ompp_threads[i]->kept_span ? OMPP_LOAD(&ompp_threads[i]->kept_span->n_created) : 0;
	if (ompp_span_was_over)
		ompp_note_say_once(forked, sizeof(forked) - 1);
	else if (!n_tasks)
		ompp_note_say_once(none, sizeof(none) - 1);
	return n_tasks;
}

/* Returns the sums of a call path; NULL without memory. */
static struct sum *sum_of(struct ompp_merge *c, uint32_t path)
{
	struct ompp_merge_spans *s = c->spans;

	if (path >= s->n) {
		size_t n = path + 1;
		struct sum *more = ompp_arena_grow(c->arena, s->sums, &s->have, n, sizeof(*more));

		if (!more) {
			c->failed = 1;
			return NULL;
		}
		memset(more + s->n, 0, (n - s->n) * sizeof(*more));
		s->sums = more;
		s->n = n;
	}
	return &s->sums[path];
}

void ompp_merge_span(struct ompp_merge *c, const struct ompp_callnode *node, uint32_t path)
{
	const struct ompp_span_sum *from = __atomic_load_n(&node->span, __ATOMIC_ACQUIRE);
	uint32_t place = OMPP_LOAD(&node->place) >> OMPP_PLACE_SHIFT;
	struct sum *to;

	if (!c->spans || path == OMPP_NONE)
		return;
	if (place && place < OMPP_MOST_PLACES)
		c->spans->path[place] = path;
	to = from ? sum_of(c, path) : NULL;
	if (!to)
		return;
	to->n += OMPP_LOAD(&from->n);
	to->inner_work += OMPP_LOAD(&from->work_ticks);
	to->span += OMPP_LOAD(&from->span_ticks);
	if (OMPP_LOAD(&from->most_span_ticks) > to->most)
		to->most = OMPP_LOAD(&from->most_span_ticks);
	if (OMPP_LOAD(&from->most_own_ticks) > to->most_own)
		to->most_own = OMPP_LOAD(&from->most_own_ticks);
	to->burdened += OMPP_LOAD(&from->burdened_ticks);
	to->fixed += OMPP_LOAD(&from->fixed_ticks);
	if (!to->prediction)
		to->prediction = __atomic_load_n(&from->prediction, __ATOMIC_ACQUIRE);
}

/* Adds the work of a thread.  Returns its sum. */
static uint64_t add_work(struct ompp_merge *c, const struct ompp_span *s)
{
	uint32_t n = __atomic_load_n(&s->n_work, __ATOMIC_ACQUIRE), path;
	const uint64_t *work = __atomic_load_n(&s->work, __ATOMIC_ACQUIRE);
	uint64_t all = 0;

	for (uint32_t i = 0; i < n && i < OMPP_MOST_PLACES; i++) {
		struct sum *sum;

		if (!OMPP_LOAD(&work[i]))
			continue;
		all += OMPP_LOAD(&work[i]);
		path = c->spans->path[i];
		sum = path == OMPP_NONE ? NULL : sum_of(c, path);
		if (sum)
			sum->work += OMPP_LOAD(&work[i]);
	}
	return all;
}

/* Adds the places of the longest path.  Returns the time at those that no call path has. */
static uint64_t add_path(struct ompp_merge *c, const struct ompp_longest *longest)
{
	uint64_t rest = longest->rest_ticks;

	for (uint32_t i = 0; i < OMPP_LONGEST_PLACES; i++) {
		uint32_t place = longest->place[i], path = place < OMPP_MOST_PLACES ? c->spans->path[place] : OMPP_NONE;
		struct sum *sum = path == OMPP_NONE ? NULL : sum_of(c, path);

		if (sum)
			sum->on_path += longest->part[i];
		else
			rest += longest->part[i]; /* 0 where the entry is free */
	}
	return rest;
}

static int fill_spans(struct ompp_merge *c, struct ompp_profile *p, struct ompp_clock_rate rate)
{
	struct ompp_span_record *out = ompp_arena_alloc(c->arena, (c->spans->n + 1) * sizeof(*out));
	size_t n = 0;

	if (!out)
		return -ENOMEM;
	for (size_t i = 0; i < c->spans->n && i < p->n_nodes; i++) {
		const struct sum *s = &c->spans->sums[i];
		int is_team = s->n && p->nodes[i].construct != OMPP_TASKEXEC;

		if (!s->work && !s->on_path && !s->n)
			continue;
		out[n++] = (struct ompp_span_record){
			.node = (uint32_t)i,
			.work_ns = ompp_clock_ns(rate, (int64_t)s->work),
			.path_ns = ompp_clock_ns(rate, (int64_t)s->on_path),
			.n = s->n,
			.inner_work_ns = is_team ? ompp_clock_ns(rate, (int64_t)s->inner_work) : OMPP_MISSING,
			.span_ns = s->n ? ompp_clock_ns(rate, (int64_t)s->span) : OMPP_MISSING,
			.most_span_ns = s->n ? ompp_clock_ns(rate, (int64_t)s->most) : OMPP_MISSING,
			.burdened_ns = is_team ? ompp_clock_ns(rate, (int64_t)s->burdened) : OMPP_MISSING,
			.fixed_ns = is_team ? ompp_clock_ns(rate, (int64_t)s->fixed) : OMPP_MISSING,
			.most_own_ns = s->n && !is_team ? ompp_clock_ns(rate, (int64_t)s->most_own) : OMPP_MISSING
		};
	}
	p->spans = out;
	p->n_spans = n;
	return 0;
}

static int64_t ns_of(struct ompp_clock_rate rate, const uint64_t *ticks)
{
	return ompp_clock_ns(rate, (int64_t)OMPP_LOAD(ticks));
}

static int fill_predictions(struct ompp_merge *c, struct ompp_profile *p, struct ompp_clock_rate rate)
{
	struct ompp_prediction_record *out = ompp_arena_alloc(c->arena,
	                                                      (c->spans->n * OMPP_PREDICTED + 1) * sizeof(*out));
	size_t n = 0;

	if (!out)
		return -ENOMEM;
	for (size_t i = 0; i < c->spans->n && i < p->n_nodes; i++) {
		const struct ompp_prediction *from = c->spans->sums[i].prediction;

		for (uint32_t k = 0; from && OMPP_LOAD(&from->n) && k < OMPP_PREDICTED; k++)
			out[n++] = (struct ompp_prediction_record){
				.node = (uint32_t)i,
				.n_threads = 1u << k,
				.n = OMPP_LOAD(&from->n),
				.least_ns = ns_of(rate, &from->by[k].least_ticks),
				.likely_ns = OMPP_LOAD(&from->n_unlikely) ? OMPP_MISSING
				                                          : ns_of(rate, &from->by[k].likely_ticks),
				.most_ns = ns_of(rate, &from->by[k].most_ticks),
				.shared_ns = ns_of(rate, &from->by[k].shared_ticks),
				.chain_ns = ns_of(rate, &from->chain_ticks),
				.locked_ns = ns_of(rate, &from->locked_ticks),
				.managing_ns = ns_of(rate, &from->by[k].managing_ticks)
			};
	}
	p->predictions = out;
	p->n_predictions = n;
	return 0;
}

int ompp_collect_spans(struct ompp_merge *c, struct ompp_profile *p, struct ompp_clock_rate rate)
{
	uint32_t n = atomic_load_explicit(&ompp_n_threads, memory_order_acquire);
	const struct ompp_span_task *longest = NULL;
	uint64_t work = 0, burdened = 0, fixed = 0;

	p->work_ns = p->span_ns = p->burdened_ns = p->fixed_ns = OMPP_MISSING;
	if (!c->spans || ompp_span_is_over()) /* it may have been given up since the start of the report */
		return 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct ompp_span *s = ompp_threads[i]->kept_span;
		const struct ompp_span_task *task = s ? *s->at : NULL;

		if (!s)
			continue;
		work += add_work(c, s);
		p->n_tasks_created += OMPP_LOAD(&s->n_created);
		p->n_tasks_lost += OMPP_LOAD(&s->n_unknown) + OMPP_LOAD(&s->n_lost);
		p->n_depends_unseen += OMPP_LOAD(&s->n_unseen);
		if (!task)
			continue;
		longest = !longest || task->path.ticks > longest->path.ticks ? task : longest;
		burdened = ompp_span_burdened(task) > burdened ? ompp_span_burdened(task) : burdened;
		fixed = ompp_span_fixed(task) > fixed ? ompp_span_fixed(task) : fixed;
	}
	p->has_span = 1;
	p->work_ns = work ? ompp_clock_ns(rate, (int64_t)work) : OMPP_MISSING;
	if (longest) {
		p->span_ns = ompp_clock_ns(rate, (int64_t)longest->path.ticks);
		p->span_rest_ns = ompp_clock_ns(rate, (int64_t)add_path(c, &longest->path));
		p->burdened_ns = ompp_clock_ns(rate, (int64_t)burdened);
		p->fixed_ns = ompp_clock_ns(rate, (int64_t)fixed);
	}
	if (c->failed || fill_spans(c, p, rate))
		return -ENOMEM;
	return fill_predictions(c, p, rate);
}
