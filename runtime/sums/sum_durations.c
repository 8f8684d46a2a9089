/*
 * Durations: see sum_durations.h.
 */
#include "runtime/sums/sum_durations.h"

#include <errno.h>

#include "runtime/base/check.h"
#include "runtime/core/callgraph.h"
#include "runtime/events/arrival.h"

static struct ompp_merge_durations *durations_of(struct ompp_merge *c, struct ompp_merge_sums *s)
{
	static struct ompp_merge_durations nowhere; /* takes the values after a failure, and is never read */

	if (s->durations)
		return s->durations;
	s->durations = ompp_arena_alloc(c->arena, sizeof(*s->durations));
	if (s->durations) {
		s->durations->least_ticks = UINT64_MAX;
		return s->durations;
	}
	c->failed = 1;
	return &nowhere;
}

static void durations_least(uint64_t *least, uint64_t ticks)
{
	if (ticks < *least)
		*least = ticks;
}

static void durations_most(struct ompp_merge_durations *sum, uint64_t ticks, uint64_t at)
{
	if (ticks <= sum->most_ticks)
		return;
	sum->most_ticks = ticks;
	sum->most_at = at;
}

/* Adds the visits that are counted. */
static void add_counted(struct ompp_merge_durations *sum, const struct ompp_durations *d)
{
	uint64_t least_ticks = OMPP_LOAD(&d->least_ticks);

	if (least_ticks == UINT64_MAX)
		return;
	durations_least(&sum->least_ticks, least_ticks);
	durations_most(sum, least_ticks + OMPP_LOAD(&d->range_ticks), OMPP_LOAD(&d->most_at));
	for (int i = 0; i < OMPP_DURATION_BUCKETS; i++)
		sum->buckets[i] += OMPP_LOAD(&d->buckets[i]);
}

/* Adds the slices, and the visit that waits. */
static void add_series(struct ompp_merge_durations *sum, const struct ompp_durations *d)
{
	struct ompp_series series;

	if (!ompp_series_read(&d->series, &series))
		return;
	if (OMPP_LOAD(&d->last_n))
		ompp_series_add(&series, OMPP_LOAD(&d->last_ticks), 0);
	ompp_series_join(&sum->series, &series);
}

/* Returns what the only visit of a node took. */
static uint64_t own_ticks(const struct ompp_callnode *node)
{
	uint64_t ticks = OMPP_LOAD(&node->ticks), others = OMPP_LOAD(&node->task_ticks) + OMPP_LOAD(&node->off_ticks);

	return ticks > others ? ticks - others : 0;
}

void ompp_sum_durations(struct ompp_merge *c, struct ompp_merge_sums *s, const struct ompp_callnode *node)
{
	const struct ompp_durations *d = __atomic_load_n(&node->durations, __ATOMIC_ACQUIRE);
	struct ompp_merge_durations *sum;
	uint64_t first_ticks, last_ticks;
	int is_many;

	if (!d)
		return;
	is_many = OMPP_LOAD(&d->n_first) != 0;
	if (!is_many && OMPP_LOAD(&node->n) != 1)
		return;
	sum = durations_of(c, s);
	sum->n_first++;
	sum->off_ticks += OMPP_LOAD(&node->off_ticks);
	first_ticks = is_many ? OMPP_LOAD(&d->first_ticks) : own_ticks(node);
	if (first_ticks > sum->first_ticks)
		sum->first_ticks = first_ticks;
	if (!is_many)
		return;
	add_counted(sum, d);
	add_series(sum, d);
	if (!OMPP_LOAD(&d->last_n))
		return;
	last_ticks = OMPP_LOAD(&d->last_ticks);
	durations_least(&sum->least_ticks, last_ticks);
	durations_most(sum, last_ticks, OMPP_LOAD(&d->last_n));
	sum->buckets[ompp_duration_bucket(last_ticks)]++;
}

int ompp_collect_durations_start(struct ompp_merge *c, struct ompp_profile *p)
{
	size_t n = 0, n_buckets = 0, n_slices = 0;

	for (size_t i = 0; i < c->n_sums; i++) {
		const struct ompp_merge_durations *d = c->sums[i].durations;

		n += d != NULL;
		for (int k = 0; d && k < OMPP_DURATION_BUCKETS; k++)
			n_buckets += d->buckets[k] != 0;
		for (int k = 0; d && k < OMPP_N_SLICES; k++)
			n_slices += d->series.slices[k].n != 0;
	}
	p->durations = c->durations = ompp_arena_alloc(c->arena, n * sizeof(*c->durations));
	p->duration_buckets = c->duration_buckets = ompp_arena_alloc(c->arena,
	                                                             n_buckets * sizeof(*c->duration_buckets));
	p->duration_slices = c->duration_slices = ompp_arena_alloc(c->arena, n_slices * sizeof(*c->duration_slices));
	p->n_durations = p->n_duration_buckets = p->n_duration_slices = 0;
	return p->durations && p->duration_buckets && p->duration_slices ? 0 : -ENOMEM;
}

static int64_t bounded(int64_t ns, int64_t least_ns, int64_t most_ns)
{
	return ns < least_ns ? least_ns : ns > most_ns ? most_ns : ns;
}

/* Lists a bucket.  Within it are none shorter than the shortest visit, and none longer than the longest one. */
static void put_bucket(struct ompp_duration_bucket *out, const struct ompp_duration *d, uint32_t bucket,
                       struct ompp_clock_rate rate)
{
	int64_t least_ns = ompp_clock_ns(rate, (int64_t)ompp_duration_least(bucket));
	int64_t most_ns = d->most_ns;

	if (bucket + 1 < OMPP_DURATION_BUCKETS)
		most_ns = ompp_clock_ns(rate, (int64_t)ompp_duration_least(bucket + 1) - 1);
	out->cell = d->cell;
	out->least_ns = bounded(least_ns, d->least_ns, d->most_ns);
	out->most_ns = bounded(most_ns, d->least_ns, d->most_ns);
}

/* Lists the slices. */
static void put_slices(const struct ompp_merge *c, struct ompp_profile *p, uint32_t cell,
                       const struct ompp_series *series, struct ompp_clock_rate rate)
{
	for (uint32_t i = 0; i < OMPP_N_SLICES; i++) {
		const struct ompp_slice *slice = &series->slices[i];

		if (slice->n)
			c->duration_slices[p->n_duration_slices++] = (struct ompp_duration_slice){
				.cell = cell,
				.number = i,
				.n = slice->n,
				.ns = ompp_clock_ns(rate, (int64_t)slice->ticks)
			};
	}
}

void ompp_collect_durations(const struct ompp_merge *c, struct ompp_profile *p, uint32_t cell,
                            const struct ompp_merge_sums *sums, struct ompp_clock_rate rate)
{
	const struct ompp_merge_durations *sum = sums->durations;
	struct ompp_duration *d = &c->durations[p->n_durations];

	if (!sum)
		return;
	p->n_durations++;
	ompp_assert(p->n_durations == 1 || c->durations[p->n_durations - 2].cell < cell);
	put_slices(c, p, cell, &sum->series, rate);
	d->cell = cell;
	d->n = 0;
	d->n_first = sum->n_first;
	d->first_ns = ompp_clock_ns(rate, (int64_t)sum->first_ticks);
	d->most_ns = ompp_clock_ns(rate, (int64_t)sum->most_ticks);
	d->most_at = sum->most_at;
	d->off_ns = c->paths[sums->path].construct == OMPP_TASKEXEC && ompp_arrival_interval != UINT64_MAX
	                  ? ompp_clock_ns(rate, (int64_t)sum->off_ticks)
	                  : OMPP_MISSING;
	d->least_ns = sum->least_ticks == UINT64_MAX ? 0 : ompp_clock_ns(rate, (int64_t)sum->least_ticks);
	for (uint32_t i = 0; i < OMPP_DURATION_BUCKETS; i++) {
		struct ompp_duration_bucket *bucket = &c->duration_buckets[p->n_duration_buckets];

		if (!sum->buckets[i])
			continue;
		put_bucket(bucket, d, i, rate);
		bucket->number = i;
		bucket->n = sum->buckets[i];
		d->n += bucket->n;
		p->n_duration_buckets++;
	}
}
