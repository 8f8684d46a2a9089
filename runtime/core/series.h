/*
 * Series: how the work of one thread before the barriers of one call path went over time.
 *
 * Time is cut into slices of 2^shift ticks, which are numbered from the clock's zero, so those of all threads are the
 * same.  A series has OMPP_N_SLICES of them from its first arrival on.  When an arrival does not fit, slices are joined
 * in pairs, so a series covers its whole time at any length of it.
 *
 * The thread writes it at each arrival, and reports read it meanwhile.
 */
#ifndef OMPP_CORE_SERIES_H
#define OMPP_CORE_SERIES_H

#include <stdint.h>

#include "runtime/base/relaxed.h"
#include "runtime/terms/wait.h"

enum { OMPP_SLICE_LEAST_SHIFT = 14 };

struct ompp_slice {
	uint64_t n;          /* arrivals */
	uint64_t work_ticks; /* their work */
	uint64_t pace_ticks; /* the sum of the paces (host/cpu.h) at each of them; 0 when they were not measured */
};

struct ompp_series {
	uint64_t first;     /* number of the first slice; not set while n_arrivals is 0 */
	uint32_t shift;     /* a slice is 2^shift ticks long */
	uint32_t n_changes; /* odd while slices are joined (seqlock) */
	uint64_t n_arrivals;
	struct ompp_slice slices[OMPP_N_SLICES];
};

/* Makes room for an arrival at this time, which the slices do not hold, or which is the first.  Returns the index of
 * its slice. */
uint32_t ompp_series_move(struct ompp_series *series, uint64_t ticks);

/* Adds an arrival, which is not earlier than those before it.  HOT. */
static inline __attribute__((always_inline)) void ompp_series_add(struct ompp_series *series, uint64_t ticks,
                                                                  uint64_t work_ticks, uint64_t pace_ticks)
{
	uint64_t i = (ticks >> series->shift) - series->first;
	struct ompp_slice *slice;

	if (__builtin_expect(i >= OMPP_N_SLICES, 0) || __builtin_expect(!series->n_arrivals, 0))
		i = ompp_series_move(series, ticks);
	slice = &series->slices[i];
	OMPP_ADD(&series->n_arrivals, 1);
	OMPP_ADD(&slice->n, 1);
	OMPP_ADD(&slice->work_ticks, work_ticks);
	OMPP_ADD(&slice->pace_ticks, pace_ticks);
}

/* Copies a series that its thread may be writing.  Returns 0 when it was changing its slices; then the copy is empty.
 * COLD. */
int ompp_series_read(const struct ompp_series *series, struct ompp_series *copy);

/* Cuts both series, which nobody else writes, into the same slices: the shortest that cover both.  COLD. */
void ompp_series_align(struct ompp_series *a, struct ompp_series *b);

/* Adds the slices of another series, which nobody else writes.  COLD. */
void ompp_series_join(struct ompp_series *sum, const struct ompp_series *other);

#endif
