/*
 * Value: the arithmetic of a counter's value, all of it with integers.
 *
 * A counter's value is the sum of its events' counts in the counter's unit.  Where the kernel had its events count only
 * a share of the time, a value stands for that share, and is scaled to the whole time when it is shown.
 */
#ifndef OMPP_COUNTERS_VALUE_H
#define OMPP_COUNTERS_VALUE_H

#include <stdint.h>

/* The value of something that was not measured. */
#define OMPP_MISSING INT64_MIN

/* Returns the value that a sum of events' counts makes in the counter's unit: sum × mul >> shift. */
static inline int64_t ompp_value_in_unit(__int128 sum, int32_t mul, int32_t shift)
{
	return (int64_t)(sum * mul >> shift);
}

/* In the functions below a counter was to count for enabled_ns, and did for running_ns of them. */

/* Returns 1 when it counted for a part of the time alone. */
int ompp_value_is_partial(int64_t enabled_ns, int64_t running_ns);

/* Returns what it would have counted in all of the time; OMPP_MISSING when it never counted. */
int64_t ompp_value_of_all(int64_t counted, int64_t enabled_ns, int64_t running_ns);

/* Returns what it counted of something that it would have counted as `all` in all of the time. */
int64_t ompp_value_of_share(int64_t all, int64_t enabled_ns, int64_t running_ns);

/* Returns the part of the time in which it counted, in per cent, rounded down. */
int64_t ompp_value_percent(int64_t enabled_ns, int64_t running_ns);

#endif
