/*
 * Value: integer arithmetic for a counter's value.
 *
 * A counter's value is the sum of its events' counts in the counter's unit.  If the kernel counted its events only for
 * a part of the time (multiplexing), a value is for that part, and is scaled to the whole time when it is shown.
 */
#ifndef OMPP_COUNTERS_VALUE_H
#define OMPP_COUNTERS_VALUE_H

#include <stdint.h>

/* The value of something that was not measured. */
#define OMPP_MISSING INT64_MIN

/* Converts a sum of events' counts to the counter's unit: sum × mul >> shift. */
static inline int64_t ompp_value_in_unit(__int128 sum, int32_t mul, int32_t shift)
{
	return (int64_t)(sum * mul >> shift);
}

/* In the functions below a counter was enabled for enabled_ns, and counted for running_ns of them. */

/* Returns 1 when it counted for only a part of the time. */
int ompp_value_is_partial(int64_t enabled_ns, int64_t running_ns);

/* Returns the count scaled to the whole time; OMPP_MISSING when it never counted. */
int64_t ompp_value_of_all(int64_t counted, int64_t enabled_ns, int64_t running_ns);

/* Returns the inverse: the part of `all`, a count for the whole time, that it counted. */
int64_t ompp_value_of_share(int64_t all, int64_t enabled_ns, int64_t running_ns);

/* Returns the part of the time in which it counted, in per cent, rounded down. */
int64_t ompp_value_percent(int64_t enabled_ns, int64_t running_ns);

#endif
