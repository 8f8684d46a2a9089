/*
 * Number: the arithmetic of reports, all of it with integers.  Sums stop at the largest number instead of wrapping.
 */
#ifndef OMPP_PROFILE_NUMBER_H
#define OMPP_PROFILE_NUMBER_H

#include <stdint.h>

struct ompp_sampled_sum;

/* Returns a + b. */
static inline int64_t ompp_add(int64_t a, int64_t b)
{
	int64_t sum;

	if (__builtin_add_overflow(a, b, &sum))
		return a < 0 ? INT64_MIN + 1 : INT64_MAX;
	return sum;
}

/* Returns a - b; a b that is missing is taken to be as large as can be. */
static inline int64_t ompp_subtract(int64_t a, int64_t b)
{
	return b == INT64_MIN ? INT64_MIN + 1 : ompp_add(a, -b);
}

/* Returns a + b, and OMPP_MISSING where one of them is missing. */
int64_t ompp_add_known(int64_t a, int64_t b);

/* Returns which share of the whole the part is, in 10^-9; OMPP_MISSING when the whole is 0, or the part is missing. */
int64_t ompp_share(int64_t part, int64_t whole);

/* Returns the whole part of the square root. */
uint64_t ompp_root(unsigned __int128 n);

/* Returns the standard error of the sum of two numbers that do not depend on each other; OMPP_MISSING when one of them
 * is. */
int64_t ompp_error_add(int64_t a, int64_t b);

/* Returns a set with a bit for each of the OMPP_PAGED_PARTS of a page that [lo, hi) overlaps.  It must overlap the
 * page. */
uint64_t ompp_paged_parts(uint64_t page, uint64_t page_bytes, uint64_t lo, uint64_t hi);

/* Adds the sums of other samples.  Kind and level are not changed.  Numbers saturate at INT64_MAX / 2. */
void ompp_sampled_add(struct ompp_sampled_sum *sum, const struct ompp_sampled_sum *more);

/* Returns the variance that one sample adds to an estimate of accesses, of which it stands for `period`.  The gaps
 * between samples are geometrically distributed with that mean. */
int64_t ompp_sample_variance(uint64_t period);

/* Returns a count as a signed number, which tables hold. */
int64_t ompp_count(uint64_t n);

/* Returns n times a number that is not negative, at most INT64_MAX. */
int64_t ompp_times(int64_t number, uint64_t n);

#endif
