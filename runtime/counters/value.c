/*
 * Value: see value.h.
 */
#include "runtime/counters/value.h"

#include "runtime/base/check.h"

int ompp_value_is_partial(int64_t enabled_ns, int64_t running_ns)
{
	return running_ns < enabled_ns;
}

int64_t ompp_value_of_all(int64_t counted, int64_t enabled_ns, int64_t running_ns)
{
	ompp_assert(running_ns >= 0);
	if (!ompp_value_is_partial(enabled_ns, running_ns))
		return counted;
	return running_ns > 0 ? (int64_t)((__int128)counted * enabled_ns / running_ns) : OMPP_MISSING;
}

int64_t ompp_value_of_share(int64_t all, int64_t enabled_ns, int64_t running_ns)
{
	if (!ompp_value_is_partial(enabled_ns, running_ns))
		return all;
	return running_ns > 0 ? (int64_t)((__int128)all * running_ns / enabled_ns) : 0;
}

int64_t ompp_value_percent(int64_t enabled_ns, int64_t running_ns)
{
	return running_ns > 0 ? (int64_t)((__int128)running_ns * 100 / enabled_ns) : 0;
}
