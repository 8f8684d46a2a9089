/*
 * Durations: how long the visits of a node took, each without the tasks that ran inside.
 *
 * The first visit is kept apart, as it often does what later ones need not: it touches memory first, creates threads,
 * and finds cold caches.  The others are counted in buckets.  Only visits that were timed count.
 *
 * A bucket is half an octave of ticks + 32: 0 to 15, 16 to 31, 32 to 63, 64 to 95 and so on.  So a quantile that is
 * read from the buckets is wrong by less than a quarter of itself, or by less than 16 ticks.
 *
 * A visit is counted when the next one ends.  If it were counted at once, the address of the store would depend on the
 * clock that was just read, and a locked instruction that follows, as that of a critical region, would wait for it.
 *
 * Counted visits are also cut into a series, which shows whether they change in the course of the run.
 *
 * The node's thread writes it, and reports read it meanwhile.
 */
#ifndef OMPP_CORE_DURATIONS_H
#define OMPP_CORE_DURATIONS_H

#include <stdint.h>

#include "runtime/base/relaxed.h"
#include "runtime/statistics/series.h"

enum { OMPP_DURATION_BUCKETS = 118, OMPP_DURATION_FIRST_OCTAVE = 5 };

struct ompp_durations {
	uint64_t least_ticks, range_ticks; /* the shortest one, and how much longer the longest one was; before the
	                                      first there is no duration in this range */
	uint64_t last_ticks, last_n;       /* the one that waits, and which visit that was; 0 without any */
	uint64_t n_first, first_ticks;     /* 1 after the second visit, and what the first one took */
	uint64_t most_at;                  /* which visit was the longest one; the first visit is 1 */
	struct ompp_series series;
	uint64_t buckets[OMPP_DURATION_BUCKETS];
};

/* What a node has before its second visit; nobody writes it.  What the first one takes is the node's time. */
extern struct ompp_durations ompp_no_durations __attribute__((visibility("hidden")));

#define OMPP_DURATIONS_EMPTY \
	{ \
		.least_ticks = UINT64_MAX \
	}

/* Returns 1 when a duration is longer or shorter than all before.  HOT. */
static inline int ompp_durations_is_new(const struct ompp_durations *d, uint64_t ticks)
{
	return ticks - d->least_ticks > d->range_ticks;
}

/* Counts a visit that is not the first one, whatever it took.  COLD.
 * n: which visit it is */
void ompp_durations_add(struct ompp_durations *durations, uint64_t ticks, uint64_t n);

/* Returns the number of the highest bit of a value that is not 0.  On x86-64 the instruction for this waits for what
 * its destination had before, which may be the clock that was just read: there it has one register for both. */
static inline uint32_t ompp_duration_octave(uint64_t value)
{
#ifdef __x86_64__
	__asm__("bsrq %0, %0" : "+r"(value) : : "cc");
	return (uint32_t)value;
#else
	return 63 ^ (uint32_t)__builtin_clzll(value);
#endif
}

/* Returns the bucket of a duration below 2^63 ticks.  HOT. */
static inline uint32_t ompp_duration_bucket(uint64_t ticks)
{
	uint64_t value = ticks + (1u << OMPP_DURATION_FIRST_OCTAVE);
	uint32_t octave = ompp_duration_octave(value);

	/* the first two bits are 2 or 3 */
	return 2 * octave + (uint32_t)(value >> (octave - 1)) - 2 * (OMPP_DURATION_FIRST_OCTAVE + 1);
}

/* Returns the least duration of a bucket, in ticks. */
static inline uint64_t ompp_duration_least(uint32_t bucket)
{
	return ((uint64_t)(2 + bucket % 2) << (bucket / 2 + OMPP_DURATION_FIRST_OCTAVE - 1)) -
	       (1u << OMPP_DURATION_FIRST_OCTAVE);
}

/* Counts a visit in its bucket. */
static inline __attribute__((always_inline)) void ompp_durations_fall(struct ompp_durations *d, uint64_t ticks)
{
	uint64_t *bucket = &d->buckets[ompp_duration_bucket(ticks)];

	OMPP_ADD(bucket, 1);
}

/* Counts the visit that waits in its bucket and its slice, if it is neither longer nor shorter than all before, and the
 * slice has room, which is taken last: nothing can be refused after that.  Returns 0 where it is not counted.  HOT. */
static inline __attribute__((always_inline)) int ompp_durations_count_last(struct ompp_durations *d)
{
	uint64_t ticks = d->last_ticks;

	if (__builtin_expect(ompp_durations_is_new(d, ticks), 0) ||
	    __builtin_expect(!ompp_series_take_room(&d->series), 0))
		return 0;
	ompp_durations_fall(d, ticks);
	ompp_series_put(&d->series, ticks, 0);
	return 1;
}

/* Lets a visit wait.  HOT. */
static inline __attribute__((always_inline)) void ompp_durations_wait(struct ompp_durations *d, uint64_t ticks,
                                                                      uint64_t n)
{
	OMPP_STORE(&d->last_ticks, ticks);
	OMPP_STORE(&d->last_n, n);
}

#endif
