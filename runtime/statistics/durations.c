/*
 * Durations: see durations.h.
 */
#include "runtime/statistics/durations.h"

struct ompp_durations ompp_no_durations = OMPP_DURATIONS_EMPTY;

/* Widens the range to a duration. */
static void durations_widen(struct ompp_durations *d, uint64_t ticks, uint64_t n)
{
	int is_empty = d->least_ticks == UINT64_MAX;
	uint64_t most = is_empty ? ticks : d->least_ticks + d->range_ticks;

	if (is_empty || ticks > most) {
		most = ticks;
		OMPP_STORE(&d->most_at, n);
	}
	if (is_empty || ticks < d->least_ticks)
		OMPP_STORE(&d->least_ticks, ticks);
	OMPP_STORE(&d->range_ticks, most - d->least_ticks);
}

void ompp_durations_add(struct ompp_durations *d, uint64_t ticks, uint64_t n)
{
	if (ompp_durations_is_new(d, ticks))
		durations_widen(d, ticks, n);
	ompp_durations_fall(d, ticks);
	ompp_series_add(&d->series, ticks, 0);
}
