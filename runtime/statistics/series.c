/*
 * Series: see series.h.
 */
#include "runtime/statistics/series.h"

#include <string.h>

static void slice_add(struct ompp_slice *sum, const struct ompp_slice *other)
{
	OMPP_ADD(&sum->n, other->n);
	OMPP_ADD(&sum->ticks, other->ticks);
	OMPP_ADD(&sum->with_ticks, other->with_ticks);
}

/* Joins each slice of an even number and the next.  None moves to a later place than its own, so each is read before it
 * is overwritten. */
static void series_pair(struct ompp_series *s)
{
	for (int i = 0; i < OMPP_N_SLICES; i++) {
		struct ompp_slice one = s->slices[i];

		OMPP_STORE(&s->slices[i].n, 0);
		OMPP_STORE(&s->slices[i].ticks, 0);
		OMPP_STORE(&s->slices[i].with_ticks, 0);
		slice_add(&s->slices[i / 2], &one);
	}
	OMPP_STORE(&s->shift, s->shift + 1);
}

static void series_halve(struct ompp_series *s)
{
	OMPP_STORE(&s->n_changes, s->n_changes + 1);
	ompp_fence_release();
	series_pair(s);
	OMPP_STORE(&s->at, OMPP_N_SLICES / 2);
	ompp_fence_release();
	OMPP_STORE(&s->n_changes, s->n_changes + 1);
}

/* Returns how many more times the slice that takes the next one has room for. */
static uint64_t series_room(const struct ompp_series *s)
{
	return (UINT64_C(1) << s->shift) - s->slices[s->at].n;
}

/* A series of zeroes, which has no time yet, begins with its first slice. */
void ompp_series_next(struct ompp_series *s)
{
	uint64_t next = s->slices[0].n ? s->at + 1 : 0;

	if (next < OMPP_N_SLICES)
		OMPP_STORE(&s->at, next);
	else
		series_halve(s);
	OMPP_STORE(&s->left, series_room(s));
}

/* Its thread may go on to another slice meanwhile, which n_changes does not show: so which one takes the next time
 * follows from the slices that were copied. */
int ompp_series_read(const struct ompp_series *s, struct ompp_series *copy)
{
	uint32_t n_changes = __atomic_load_n(&s->n_changes, __ATOMIC_ACQUIRE);

	copy->shift = OMPP_LOAD(&s->shift);
	copy->n_changes = 0;
	copy->at = 0;
	for (uint64_t i = 0; i < OMPP_N_SLICES; i++) {
		copy->slices[i].n = OMPP_LOAD(&s->slices[i].n);
		copy->slices[i].ticks = OMPP_LOAD(&s->slices[i].ticks);
		copy->slices[i].with_ticks = OMPP_LOAD(&s->slices[i].with_ticks);
		if (copy->slices[i].n)
			copy->at = i;
	}
	copy->left = copy->slices[0].n ? series_room(copy) : 0;
	ompp_fence_acquire();
	if (!(n_changes & 1) && n_changes == OMPP_LOAD(&s->n_changes))
		return 1;
	memset(copy, 0, sizeof(*copy));
	return 0;
}

void ompp_series_align(struct ompp_series *a, struct ompp_series *b)
{
	while (a->shift < b->shift)
		series_pair(a);
	while (b->shift < a->shift)
		series_pair(b);
}

void ompp_series_join(struct ompp_series *sum, const struct ompp_series *other)
{
	struct ompp_series copy = *other;

	ompp_series_align(sum, &copy);
	for (int i = 0; i < OMPP_N_SLICES; i++)
		slice_add(&sum->slices[i], &copy.slices[i]);
}
