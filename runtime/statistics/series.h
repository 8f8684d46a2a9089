/*
 * Series: how the times of something that a thread does repeatedly at one call path develop over the run: its work
 * before barriers, or its visits.
 *
 * A slice sums up 2^shift successive times.  As all members of a team arrive at each of its barriers, slices with the
 * same number cover the same part of the run for all of them.  There are at most OMPP_N_SLICES.  When they are full,
 * neighbouring slices are joined in pairs, so that a series covers a run of any length.
 *
 * The thread writes it, and reports read it meanwhile.
 */
#ifndef OMPP_CORE_SERIES_H
#define OMPP_CORE_SERIES_H

#include <stdint.h>

#include "runtime/base/relaxed.h"
#include "runtime/terms/wait.h"

struct ompp_slice {
	uint64_t n;          /* times */
	uint64_t ticks;      /* their sum */
	uint64_t with_ticks; /* the sum of another time that goes with each of them; 0 when there is none */
};

struct ompp_series {
	uint32_t shift;     /* a slice has 2^shift times */
	uint32_t n_changes; /* odd while slices are joined (seqlock) */
	uint64_t at;        /* the slice that takes the next time, if it has room */
	uint64_t left;      /* how many more it has room for, once a time was added; below 0 as a signed number while
	                       ompp_series_next() has to go on to another one */
	struct ompp_slice slices[OMPP_N_SLICES];
};

/* Goes on to the next slice, where the one that takes times is full, and joins slices in pairs where that was the last
 * one.  COLD. */
void ompp_series_next(struct ompp_series *series);

/* Takes room for a time.  Returns 0 where ompp_series_next() has to make it first.  HOT. */
static inline __attribute__((always_inline)) int ompp_series_take_room(struct ompp_series *series)
{
	return __builtin_expect(!ompp_count_down(&series->left), 1);
}

/* Adds a time for which there is room. */
static inline __attribute__((always_inline)) void ompp_series_put(struct ompp_series *series, uint64_t ticks,
                                                                  uint64_t with_ticks)
{
	struct ompp_slice *slice = &series->slices[series->at];

	OMPP_ADD(&slice->n, 1);
	OMPP_ADD(&slice->ticks, ticks);
	if (with_ticks)
		OMPP_ADD(&slice->with_ticks, with_ticks);
}

/* Adds a time. */
static inline void ompp_series_add(struct ompp_series *series, uint64_t ticks, uint64_t with_ticks)
{
	if (!ompp_series_take_room(series)) {
		ompp_series_next(series);
		OMPP_STORE(&series->left, series->left - 1);
	}
	ompp_series_put(series, ticks, with_ticks);
}

/* Copies a series that its thread may be writing.  Returns 0 when it was joining slices; then the copy is empty.  COLD.
 */
int ompp_series_read(const struct ompp_series *series, struct ompp_series *copy);

/* Cuts both series, which nobody else writes, into slices of the same length: the longer one of the two.  COLD. */
void ompp_series_align(struct ompp_series *a, struct ompp_series *b);

/* Adds the slices of another series, which nobody else writes, to those of the same numbers.  COLD. */
void ompp_series_join(struct ompp_series *sum, const struct ompp_series *other);

#endif
