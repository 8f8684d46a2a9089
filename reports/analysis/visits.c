/*
 * Visits: see visits.h.
 */
#include "reports/analysis/visits.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/bound.h"
#include "runtime/base/sort.h"

/* The buckets of all cells of a region. */
struct buckets {
	const struct ompp_duration_bucket **list;
	size_t n;
	uint64_t n_visits;
};

static int begins_after(const void *list, uint32_t x, uint32_t y)
{
	const struct ompp_duration_bucket *const *of = list;

	return of[x]->least_ns > of[y]->least_ns;
}

static int ends_after(const void *list, uint32_t x, uint32_t y)
{
	const struct ompp_duration_bucket *const *of = list;

	return of[x]->most_ns > of[y]->most_ns;
}

/* Returns the index of the first bucket of a cell, or of the first one behind, when it has none. */
static size_t first_bucket(const struct ompp_profile *p, uint32_t cell)
{
	return OMPP_BOUND(p->duration_buckets, p->n_duration_buckets, cell, cell);
}

/* Returns what the profile has of a cell; NULL when nothing. */
static const struct ompp_duration *duration_of(const struct ompp_profile *p, uint32_t cell)
{
	size_t i = OMPP_BOUND(p->durations, p->n_durations, cell, cell);

	return i < p->n_durations && p->durations[i].cell == cell ? &p->durations[i] : NULL;
}

int64_t ompp_visits_off_ns(const struct ompp_analysis *a, uint32_t cell)
{
	const struct ompp_duration *d = duration_of(a->profile, cell);

	return d && d->off_ns != OMPP_MISSING ? d->off_ns : 0;
}

static void add_cell(const struct ompp_profile *p, uint32_t cell, struct ompp_visits *sum)
{
	const struct ompp_duration *d = duration_of(p, cell);
	struct ompp_trend trend;

	if (!d)
		return;
	ompp_trend_of(p, cell, &trend);
	ompp_trend_add(&sum->trend, &trend);
	sum->n_first += d->n_first;
	sum->first_ns = d->first_ns > sum->first_ns ? d->first_ns : sum->first_ns;
	if (!d->n)
		return;
	if (!sum->n || d->least_ns < sum->least_ns)
		sum->least_ns = d->least_ns;
	if (!sum->n || d->most_ns > sum->most_ns) {
		sum->most_ns = d->most_ns;
		sum->most_at = d->most_at;
		sum->most_row = p->cells[cell].row;
	}
	sum->n += d->n;
}

static void list_buckets(const struct ompp_profile *p, uint32_t cell, struct buckets *buckets)
{
	for (size_t i = first_bucket(p, cell); i < p->n_duration_buckets && p->duration_buckets[i].cell == cell; i++) {
		buckets->list[buckets->n++] = &p->duration_buckets[i];
		buckets->n_visits += p->duration_buckets[i].n;
	}
}

/* Returns the bucket that has the visit of a rank, from 1, in this order. */
static const struct ompp_duration_bucket *bucket_of(const struct buckets *buckets, const uint32_t *order, uint64_t rank)
{
	uint64_t seen = 0;
	size_t i = 0;

	while (i + 1 < buckets->n && seen + buckets->list[order[i]]->n < rank)
		seen += buckets->list[order[i++]]->n;
	return buckets->list[order[i]];
}

/* As each visit lies between the bounds of its bucket, so does the visit of a rank between the bounds of that rank. */
static int durations_quantiles(const struct ompp_analysis *a, const struct buckets *buckets, struct ompp_visits *sum)
{
	const uint32_t *begins = ompp_sorted(a->arena, buckets->n, begins_after, buckets->list);
	const uint32_t *ends = ompp_sorted(a->arena, buckets->n, ends_after, buckets->list);
	uint64_t half = (buckets->n_visits + 1) / 2;
	uint64_t most = buckets->n_visits - buckets->n_visits / 20;

	if (!begins || !ends)
		return -ENOMEM;
	sum->median = (struct ompp_between){ bucket_of(buckets, begins, half)->least_ns,
		                             bucket_of(buckets, ends, half)->most_ns };
	sum->p95 = (struct ompp_between){ bucket_of(buckets, begins, most)->least_ns,
		                          bucket_of(buckets, ends, most)->most_ns };
	return 0;
}

int ompp_visits_of(const struct ompp_analysis *a, uint32_t region, int kind, struct ompp_visits *sum)
{
	const struct ompp_profile *p = a->profile;
	struct buckets buckets = { 0 };
	size_t n = 0;

	memset(sum, 0, sizeof(*sum));
	sum->most_row = OMPP_NONE;
	for (uint32_t i = a->same_first[kind][region]; i != OMPP_NONE; i = a->same_next[i])
		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++) {
			uint32_t cell = p->nodes[i].first_cell + k;

			add_cell(p, cell, sum);
			n += first_bucket(p, cell + 1) - first_bucket(p, cell);
		}
	buckets.list = ompp_arena_alloc(a->arena, n * sizeof(const struct ompp_duration_bucket *));
	if (!buckets.list)
		return -ENOMEM;
	for (uint32_t i = a->same_first[kind][region]; i != OMPP_NONE; i = a->same_next[i])
		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++)
			list_buckets(p, p->nodes[i].first_cell + k, &buckets);
	return buckets.n ? durations_quantiles(a, &buckets, sum) : 0;
}

static void long_add(struct ompp_long *sum, uint64_t n, int64_t ns)
{
	if (ns <= 0)
		return;
	sum->n += n;
	sum->ns = ompp_add(sum->ns, ns);
	sum->most_ns = ns > sum->most_ns ? ns : sum->most_ns;
}

/* Of a bucket all visits take its least duration at least, and the longest visit takes its own. */
static void add_long(const struct ompp_profile *p, uint32_t cell, const struct ompp_visits *v, int64_t least_ns,
                     struct ompp_long *first, struct ompp_long *later)
{
	const struct ompp_duration *d = duration_of(p, cell);
	int64_t usual_ns = v->median.most_ns, ns = 0;
	uint64_t n = 0;

	if (!d)
		return;
	if (d->first_ns / OMPP_LONG_TIMES >= usual_ns && d->first_ns >= least_ns)
		long_add(first, d->n_first, d->first_ns - usual_ns);
	for (size_t i = first_bucket(p, cell); i < p->n_duration_buckets && p->duration_buckets[i].cell == cell; i++) {
		const struct ompp_duration_bucket *b = &p->duration_buckets[i];

		if (b->least_ns / OMPP_LONG_TIMES < usual_ns || b->most_ns < least_ns)
			continue;
		n += b->n;
		ns = ompp_add(ns, ompp_times(b->least_ns - usual_ns, b->n));
		if (b->most_ns >= d->most_ns)
			ns = ompp_add(ns, d->most_ns - b->least_ns);
	}
	long_add(later, n, ns);
}

void ompp_visits_long(const struct ompp_analysis *a, uint32_t region, int kind, const struct ompp_visits *v,
                      int64_t least_ns, struct ompp_long *first, struct ompp_long *later)
{
	const struct ompp_profile *p = a->profile;

	for (uint32_t i = a->same_first[kind][region]; i != OMPP_NONE; i = a->same_next[i])
		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++) {
			uint32_t cell = p->nodes[i].first_cell + k;

			if (kind || !ompp_analysis_is_inner(p, i, p->cells[cell].row))
				add_long(p, cell, v, least_ns, first, later);
		}
}
