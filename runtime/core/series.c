/*
 * Series: see series.h.
 */
#include "runtime/core/series.h"

#include <string.h>

#include "runtime/base/check.h"

static void slice_add(struct ompp_slice *sum, const struct ompp_slice *other)
{
	OMPP_ADD(&sum->n, other->n);
	OMPP_ADD(&sum->work_ticks, other->work_ticks);
	OMPP_ADD(&sum->pace_ticks, other->pace_ticks);
}

/* Joins slices in pairs of an even number and the next.  A slice never moves to a later place than its own, so each is
 * read before it is overwritten. */
static void series_halve(struct ompp_series *s)
{
	uint64_t first = s->first >> 1;

	for (uint64_t i = 0; i < OMPP_N_SLICES; i++) {
		struct ompp_slice one = s->slices[i];
		struct ompp_slice *to = &s->slices[((s->first + i) >> 1) - first];

		OMPP_STORE(&s->slices[i].n, 0);
		OMPP_STORE(&s->slices[i].work_ticks, 0);
		OMPP_STORE(&s->slices[i].pace_ticks, 0);
		slice_add(to, &one);
	}
	OMPP_STORE(&s->first, first);
	OMPP_STORE(&s->shift, s->shift + 1);
}

uint32_t ompp_series_move(struct ompp_series *s, uint64_t ticks)
{
	if (!s->n_arrivals) {
		OMPP_STORE(&s->shift, OMPP_SLICE_LEAST_SHIFT);
		OMPP_STORE(&s->first, ticks >> OMPP_SLICE_LEAST_SHIFT);
		return 0;
	}
	if (ticks >> s->shift < s->first) /* clocks of processors may differ by a little */
		return 0;
	OMPP_STORE(&s->n_changes, s->n_changes + 1);
	ompp_fence_release();
	while ((ticks >> s->shift) - s->first >= OMPP_N_SLICES)
		series_halve(s);
	ompp_fence_release();
	OMPP_STORE(&s->n_changes, s->n_changes + 1);
	return (uint32_t)((ticks >> s->shift) - s->first);
}

int ompp_series_read(const struct ompp_series *s, struct ompp_series *copy)
{
	uint32_t n_changes = __atomic_load_n(&s->n_changes, __ATOMIC_ACQUIRE);

	copy->first = OMPP_LOAD(&s->first);
	copy->shift = OMPP_LOAD(&s->shift);
	copy->n_changes = 0;
	copy->n_arrivals = OMPP_LOAD(&s->n_arrivals);
	for (uint32_t i = 0; i < OMPP_N_SLICES; i++) {
		copy->slices[i].n = OMPP_LOAD(&s->slices[i].n);
		copy->slices[i].work_ticks = OMPP_LOAD(&s->slices[i].work_ticks);
		copy->slices[i].pace_ticks = OMPP_LOAD(&s->slices[i].pace_ticks);
	}
	ompp_fence_acquire();
	if (!(n_changes & 1) && n_changes == OMPP_LOAD(&s->n_changes))
		return 1;
	memset(copy, 0, sizeof(*copy));
	return 0;
}

/* Makes the slices begin at an earlier one.  The last ones that fall off are empty. */
static void series_begin(struct ompp_series *s, uint64_t first)
{
	uint64_t by = s->first - first;

	for (uint64_t i = OMPP_N_SLICES; by && i-- > 0;)
		if (i + by < OMPP_N_SLICES)
			s->slices[i + by] = s->slices[i];
		else
			ompp_assert(!s->slices[i].n);
	memset(s->slices, 0, by * sizeof(*s->slices));
	s->first = first;
}

/* Returns the number of the last slice with an arrival. */
static uint64_t series_last(const struct ompp_series *s)
{
	uint64_t i = OMPP_N_SLICES - 1;

	while (i && !s->slices[i].n)
		i--;
	return s->first + i;
}

void ompp_series_align(struct ompp_series *a, struct ompp_series *b)
{
	uint64_t first, last;

	if (!a->n_arrivals || !b->n_arrivals)
		return;
	while (a->shift < b->shift)
		series_halve(a);
	while (b->shift < a->shift)
		series_halve(b);
	for (;;) {
		first = a->first < b->first ? a->first : b->first;
		last = series_last(a) > series_last(b) ? series_last(a) : series_last(b);
		if (last - first < OMPP_N_SLICES)
			break;
		series_halve(a);
		series_halve(b);
	}
	series_begin(a, first);
	series_begin(b, first);
}

void ompp_series_join(struct ompp_series *sum, const struct ompp_series *other)
{
	struct ompp_series copy = *other;

	if (!other->n_arrivals)
		return;
	if (!sum->n_arrivals) {
		*sum = copy;
		return;
	}
	ompp_series_align(sum, &copy);
	for (int i = 0; i < OMPP_N_SLICES; i++)
		slice_add(&sum->slices[i], &copy.slices[i]);
	sum->n_arrivals += copy.n_arrivals;
}
