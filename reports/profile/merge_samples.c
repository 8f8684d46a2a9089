/*
 * Merge samples: see merge_samples.h.  Only in the program ompp.
 */
#include "reports/profile/merge_samples.h"

#include <errno.h>
#include <string.h>

#include "reports/profile/number.h"
#include "reports/profile/profile_check.h"
#include "runtime/base/sort.h"

/* The result while it grows.  Notes are at most two a profile. */
struct merge {
	struct ompp_arena *arena;
	struct ompp_sampled *samples;
	size_t n_samples;
	uint32_t *place; /* by sample as it was added: its index when they are sorted */
	struct ompp_sampled_latency *histogram;
	size_t n_histogram;
	struct ompp_sampled_line *lines;
	size_t n_lines;
	struct ompp_first_touch *touches;
	size_t n_touches;
	struct ompp_profile_note *notes;
	size_t n_notes;
};

static int merge_samples_reserve(struct merge *m, const struct ompp_profile *p, size_t n,
                                 const struct ompp_profile *out)
{
	size_t n_samples = 0, n_histogram = 0, n_lines = 0, n_touches = 0;

	for (size_t i = 0; i < n; i++) {
		n_samples += p[i].n_samples;
		n_histogram += p[i].n_sample_histogram;
		n_lines += p[i].n_sample_lines;
		n_touches += p[i].n_first_touches;
	}
	m->samples = ompp_arena_alloc(m->arena, n_samples * sizeof(*m->samples));
	m->place = ompp_arena_alloc(m->arena, n_samples * sizeof(*m->place));
	m->histogram = ompp_arena_alloc(m->arena, n_histogram * sizeof(*m->histogram));
	m->lines = ompp_arena_alloc(m->arena, n_lines * sizeof(*m->lines));
	m->touches = ompp_arena_alloc(m->arena, n_touches * sizeof(*m->touches));
	m->notes = ompp_arena_alloc(m->arena, (out->n_notes + 2 * n) * sizeof(*m->notes));
	if (!m->samples || !m->place || !m->histogram || !m->lines || !m->touches || !m->notes ||
	    n_samples > UINT32_MAX || n_histogram > UINT32_MAX || n_lines > UINT32_MAX || n_touches > UINT32_MAX)
		return -ENOMEM;
	if (out->n_notes)
		memcpy(m->notes, out->notes, out->n_notes * sizeof(*m->notes));
	m->n_notes = out->n_notes;
	return 0;
}

static int add_note(struct merge *m, const struct ompp_merge_map *map, const char *text)
{
	const char *whole = ompp_merge_prefixed(map->process, ": ", text, m->arena);

	if (!whole)
		return -ENOMEM;
	m->notes[m->n_notes++] = (struct ompp_profile_note){ .text = whole };
	return 0;
}

static void add_count(uint64_t *sum, uint64_t more)
{
	*sum = *sum > INT64_MAX / 2 - more ? INT64_MAX / 2 : *sum + more;
}

/* ---- what one profile has ---- */

static void add_samples(struct merge *m, const struct ompp_profile *p, const struct ompp_merge_map *map)
{
	uint32_t first = (uint32_t)m->n_samples;

	for (size_t i = 0; i < p->n_samples; i++) {
		struct ompp_sampled *s = &m->samples[m->n_samples++];

		*s = p->samples[i];
		s->node = map->nodes[s->node];
		s->row += map->first_row;
		s->object = map->objects[s->object];
	}
	for (size_t i = 0; i < p->n_sample_histogram; i++) {
		m->histogram[m->n_histogram] = p->sample_histogram[i];
		m->histogram[m->n_histogram++].sampled += first;
	}
	for (size_t i = 0; i < p->n_sample_lines; i++) {
		m->lines[m->n_lines] = p->sample_lines[i];
		m->lines[m->n_lines].object = map->objects[p->sample_lines[i].object];
		m->n_lines++;
	}
}

static void add_touches(struct merge *m, const struct ompp_profile *p, const struct ompp_merge_map *map)
{
	for (size_t i = 0; i < p->n_first_touches; i++) {
		struct ompp_first_touch *t = &m->touches[m->n_touches++];

		*t = p->first_touches[i];
		t->node = map->nodes[t->node];
		t->row += map->first_row;
		t->object = map->objects[t->object];
	}
}

int ompp_samples_are_alike(const struct ompp_profile *a, const struct ompp_profile *b)
{
	return !strcmp(a->sample_source, b->sample_source) && !strcmp(a->sample_latencies, b->sample_latencies) &&
	       a->sample_kinds == b->sample_kinds && a->sample_period == b->sample_period &&
	       a->sample_latency == b->sample_latency;
}

/* Adds the samples of one profile, if they were taken as those of `like` were. */
static int add_profile(struct merge *m, const struct ompp_profile *p, const struct ompp_profile *like, int touched,
                       const struct ompp_merge_map *map)
{
	int rc = 0;

	if (like && !p->sample_source[0])
		rc = add_note(m, map, "took no samples of accesses; those in this report are of other processes");
	else if (like && !ompp_samples_are_alike(p, like))
		rc = add_note(m, map,
		              "its samples of accesses are not added to those of the others and left out, as they were "
		              "taken in another way (source, period, kinds or latencies); look at its profile alone");
	else if (like)
		add_samples(m, p, map);
	if (!rc && touched && !p->touched)
		rc = add_note(m, map, "looked for no first touches; those in this report are of other processes");
	else if (!rc && touched)
		add_touches(m, p, map);
	return rc;
}

/* ---- the result in its order ---- */

static int sample_is_after(const void *samples, uint32_t x, uint32_t y)
{
	int d = ompp_compare_samples((const struct ompp_sampled *)samples + x,
	                             (const struct ompp_sampled *)samples + y);

	return d ? d > 0 : x > y;
}

static int latency_is_after(const void *histogram, uint32_t x, uint32_t y)
{
	const struct ompp_sampled_latency *l = histogram;
	int d = ompp_compare_sample_histogram(&l[x], &l[y]);

	return d ? d > 0 : x > y;
}

static int line_is_after(const void *lines, uint32_t x, uint32_t y)
{
	const struct ompp_sampled_line *l = lines;
	int d = ompp_compare_sample_lines(&l[x], &l[y]);

	return d ? d > 0 : x > y;
}

static int touch_is_after(const void *touches, uint32_t x, uint32_t y)
{
	const struct ompp_first_touch *t = touches;
	int d = ompp_compare_first_touches(&t[x], &t[y]);

	return d ? d > 0 : x > y;
}

/* Returns the order of an array of n elements, and in *sorted room for the sorted one; NULL without memory. */
static uint32_t *merge_samples_sort(struct merge *m, const void *array, size_t n, size_t element_bytes,
                                    int (*is_after)(const void *, uint32_t, uint32_t), void **sorted)
{
	*sorted = ompp_arena_alloc(m->arena, n * element_bytes);
	return *sorted ? ompp_sorted(m->arena, n, is_after, array) : NULL;
}

static int put_samples(struct merge *m, struct ompp_profile *out)
{
	void *room;
	uint32_t *order = merge_samples_sort(m, m->samples, m->n_samples, sizeof(*m->samples), sample_is_after, &room);
	struct ompp_sampled *sorted = room;
	size_t n = 0;

	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < m->n_samples; i++) {
		const struct ompp_sampled *s = &m->samples[order[i]];

		if (n && !ompp_compare_samples(&sorted[n - 1], s)) {
			ompp_sampled_add(&sorted[n - 1].sum, &s->sum);
			add_count(&sorted[n - 1].n_far, s->n_far);
		} else {
			sorted[n++] = *s;
		}
		m->place[order[i]] = (uint32_t)n - 1;
	}
	out->samples = sorted;
	out->n_samples = n;
	return 0;
}

static int put_histogram(struct merge *m, struct ompp_profile *out)
{
	struct ompp_sampled_latency *sorted;
	uint32_t *order;
	void *room;
	size_t n = 0;

	for (size_t i = 0; i < m->n_histogram; i++)
		m->histogram[i].sampled = m->place[m->histogram[i].sampled];
	order = merge_samples_sort(m, m->histogram, m->n_histogram, sizeof(*m->histogram), latency_is_after, &room);
	sorted = room;
	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < m->n_histogram; i++) {
		const struct ompp_sampled_latency *l = &m->histogram[order[i]];

		if (n && !ompp_compare_sample_histogram(&sorted[n - 1], l))
			add_count(&sorted[n - 1].n, l->n);
		else
			sorted[n++] = *l;
	}
	out->sample_histogram = sorted;
	out->n_sample_histogram = n;
	return 0;
}

static int put_lines(struct merge *m, struct ompp_profile *out)
{
	void *room;
	uint32_t *order = merge_samples_sort(m, m->lines, m->n_lines, sizeof(*m->lines), line_is_after, &room);
	struct ompp_sampled_line *sorted = room;
	size_t n = 0;

	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < m->n_lines; i++) {
		const struct ompp_sampled_line *l = &m->lines[order[i]];

		if (n && !ompp_compare_sample_lines(&sorted[n - 1], l))
			ompp_sampled_add(&sorted[n - 1].sum, &l->sum);
		else
			sorted[n++] = *l;
	}
	out->sample_lines = sorted;
	out->n_sample_lines = n;
	return 0;
}

static int put_touches(struct merge *m, struct ompp_profile *out)
{
	void *room;
	uint32_t *order = merge_samples_sort(m, m->touches, m->n_touches, sizeof(*m->touches), touch_is_after, &room);
	struct ompp_first_touch *sorted = room;
	size_t n = 0;

	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < m->n_touches; i++) {
		const struct ompp_first_touch *t = &m->touches[order[i]];

		if (n && !ompp_compare_first_touches(&sorted[n - 1], t))
			add_count(&sorted[n - 1].n_pages, t->n_pages);
		else
			sorted[n++] = *t;
	}
	out->first_touches = sorted;
	out->n_first_touches = n;
	return 0;
}

/* Returns the length of a tick that the profiles agree on, to a hundredth, as each of them has measured it; else 0. */
static uint32_t tick_of(const struct ompp_profile *profiles, size_t n, const struct ompp_profile *like)
{
	uint32_t fs = like->sample_tick_fs;

	for (size_t i = 0; i < n; i++) {
		const struct ompp_profile *p = &profiles[i];

		if (p->sample_source[0] && ompp_samples_are_alike(p, like) &&
		    (p->sample_tick_fs < fs - fs / 100 || p->sample_tick_fs > fs + fs / 100))
			return 0;
	}
	return fs;
}

int ompp_merge_samples(const struct ompp_profile *profiles, size_t n, const struct ompp_merge_map *maps,
                       struct ompp_arena *arena, struct ompp_profile *out)
{
	const struct ompp_profile *like = NULL;
	struct merge m = { .arena = arena };
	int rc = merge_samples_reserve(&m, profiles, n, out), touched = 0;

	for (size_t i = 0; i < n; i++) {
		like = !like && profiles[i].sample_source[0] ? &profiles[i] : like;
		if (profiles[i].touched && (!touched || profiles[i].touched < touched))
			touched = profiles[i].touched;
	}
	for (size_t i = 0; i < n && !rc; i++)
		rc = add_profile(&m, &profiles[i], like, touched, &maps[i]);
	if (!rc)
		rc = put_samples(&m, out);
	if (!rc)
		rc = put_histogram(&m, out);
	if (!rc)
		rc = put_lines(&m, out);
	if (!rc)
		rc = put_touches(&m, out);
	out->notes = m.notes;
	out->n_notes = m.n_notes;
	out->touched = touched;
	if (rc || !like)
		return rc;
	out->sample_source = like->sample_source;
	out->sample_kinds = like->sample_kinds;
	out->sample_period = like->sample_period;
	out->sample_latency = like->sample_latency;
	out->sample_latencies = like->sample_latencies;
	out->sample_seed = like->sample_seed;
	out->sample_tick_fs = tick_of(profiles, n, like);
	return 0;
}
