/*
 * Histogram: buckets for latencies whose widths grow with them, half an octave each.
 *
 * Bucket 0 has the latency 0, bucket 1 has 1, and from 2 on each octave has two buckets: 2, 3, 4 to 5, 6 to 7, 8 to 11,
 * 12 to 15 and so on.  So a quantile that is read from the buckets is wrong by less than a quarter of itself.
 */
#ifndef OMPP_BASE_HISTOGRAM_H
#define OMPP_BASE_HISTOGRAM_H

#include <stdint.h>

enum { OMPP_HISTOGRAM_BUCKETS = 64 }; /* enough for all 32-bit values */

/* Returns the bucket of a value. */
static inline uint32_t ompp_histogram_bucket(uint32_t value)
{
	uint32_t octave;

	if (value < 2)
		return value;
	octave = 31 - (uint32_t)__builtin_clz(value);
	return octave * 2 + (value >> (octave - 1) & 1);
}

/* Returns the least value of a bucket. */
static inline uint32_t ompp_histogram_least(uint32_t bucket)
{
	return bucket < 2 ? bucket : (2 + bucket % 2) << (bucket / 2 - 1);
}

#endif
