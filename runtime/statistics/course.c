/*
 * Course: see course.h.
 */
#include "runtime/statistics/course.h"

#include <string.h>

#include "runtime/base/check.h"
#include "runtime/base/relaxed.h"

/* ---- slices ---- */

static void course_begin_change(struct ompp_course *c)
{
	OMPP_STORE(&c->n_changes, c->n_changes + 1);
	ompp_fence_release();
}

static void course_end_change(struct ompp_course *c)
{
	ompp_fence_release();
	OMPP_STORE(&c->n_changes, c->n_changes + 1);
}

/* Joins each slice of an even number and the next.  None moves to a later place than its own, so each is read before it
 * is overwritten. */
static void course_pair(struct ompp_course *c)
{
	for (uint32_t i = 0; i < OMPP_COURSE_SLICES / 2 && c->slices; i++) {
		const struct ompp_course_slice a = c->slices[2 * i], b = c->slices[2 * i + 1];

		for (int k = 0; k < OMPP_N_COURSE_PARTS; k++)
			OMPP_STORE(&c->slices[i].parts[k], (uint16_t)((a.parts[k] + b.parts[k] + 1) / 2));
		OMPP_STORE(&c->slices[i].region, b.region ? b.region : a.region);
	}
	if (c->slices)
		memset(c->slices + OMPP_COURSE_SLICES / 2, 0, OMPP_COURSE_SLICES / 2 * sizeof(*c->slices));
	OMPP_STORE(&c->shift, c->shift + 1);
}

void ompp_course_lengthen(struct ompp_course *c, uint32_t shift)
{
	if (c->shift >= shift)
		return;
	course_begin_change(c);
	while (c->shift < shift && c->shift < 63)
		course_pair(c);
	course_end_change(c);
}

/* Adds ticks to a part of a slice. */
static void add_part(struct ompp_course *c, uint64_t slice, enum ompp_course_part part, uint64_t ticks)
{
	uint16_t *to = &c->slices[slice].parts[part];
	uint64_t share = *to + (ticks >> (c->shift - 16));

	ompp_assert(slice < OMPP_COURSE_SLICES && c->shift >= OMPP_COURSE_LEAST_SHIFT);
	OMPP_STORE(to, (uint16_t)(share < UINT16_MAX ? share : UINT16_MAX));
}

/* Adds a time of one part that may lie in many slices.
 * from, to: ticks since the start of the run */
static void add_stretch(struct ompp_course *c, enum ompp_course_part part, uint32_t region, uint64_t from, uint64_t to)
{
	while (from < to) {
		uint64_t slice = from >> c->shift, end = (slice + 1) << c->shift;

		add_part(c, slice, part, (end < to ? end : to) - from);
		if (end <= to)
			OMPP_STORE(&c->slices[slice].region, region);
		from = end;
	}
}

/* ---- charging ---- */

static void course_set_totals(struct ompp_course *c, const uint64_t *totals)
{
	for (int k = 0; k < OMPP_N_COURSE_PARTS; k++)
		OMPP_STORE(&c->totals[k], totals[k]);
}

void ompp_course_add(struct ompp_course *c, const uint64_t spent[OMPP_N_COURSE_PARTS], enum ompp_course_part at,
                     uint32_t region, uint64_t start_ticks, uint64_t now, const uint64_t *totals)
{
	uint64_t from = c->last_ticks - start_ticks, to = now - start_ticks;
	uint64_t end = ompp_course_slice_end(c, start_ticks, c->last_ticks) - start_ticks;
	uint64_t beyond = to > end ? to - end : 0;

	ompp_assert(c->slices);
	if ((int64_t)(now - c->last_ticks) < 0) /* a signal handler's events came first */
		return;
	course_begin_change(c);
	while (to >> c->shift >= OMPP_COURSE_SLICES)
		course_pair(c);
	for (int k = 0; k < OMPP_N_COURSE_PARTS; k++) {
		uint64_t ticks = spent[k];

		if (k == (int)at)
			ticks = ticks > beyond ? ticks - beyond : 0;
		add_part(c, from >> c->shift, (enum ompp_course_part)k, ticks);
	}
	if (beyond)
		add_stretch(c, at, region, end, to);
	if (to >= end)
		OMPP_STORE(&c->slices[from >> c->shift].region, region);
	OMPP_STORE(&c->last_ticks, now);
	if (totals)
		course_set_totals(c, totals);
	course_end_change(c);
}

void ompp_course_start(struct ompp_course *c, const uint64_t totals[OMPP_N_COURSE_PARTS], uint64_t now)
{
	course_begin_change(c);
	if (!c->shift)
		OMPP_STORE(&c->shift, OMPP_COURSE_LEAST_SHIFT);
	course_set_totals(c, totals);
	OMPP_STORE(&c->last_ticks, now);
	OMPP_STORE(&c->is_over, 0);
	course_end_change(c);
}

int ompp_course_read(const struct ompp_course *c, struct ompp_course *copy, struct ompp_course_slice *slices)
{
	uint32_t n_changes = __atomic_load_n(&c->n_changes, __ATOMIC_ACQUIRE);
	const struct ompp_course_slice *from = __atomic_load_n(&c->slices, __ATOMIC_ACQUIRE);

	*copy = (struct ompp_course){ .last_ticks = OMPP_LOAD(&c->last_ticks),
		                      .shift = OMPP_LOAD(&c->shift),
		                      .is_over = OMPP_LOAD(&c->is_over),
		                      .slices = slices };
	for (int k = 0; k < OMPP_N_COURSE_PARTS; k++)
		copy->totals[k] = OMPP_LOAD(&c->totals[k]);
	memset(slices, 0, OMPP_COURSE_SLICES * sizeof(*slices));
	for (uint32_t i = 0; from && i < OMPP_COURSE_SLICES; i++) {
		for (int k = 0; k < OMPP_N_COURSE_PARTS; k++)
			slices[i].parts[k] = OMPP_LOAD(&from[i].parts[k]);
		slices[i].region = OMPP_LOAD(&from[i].region);
	}
	ompp_fence_acquire();
	return !(n_changes & 1) && n_changes == OMPP_LOAD(&c->n_changes);
}
