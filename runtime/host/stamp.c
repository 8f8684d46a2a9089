/*
 * Stamp: see stamp.h.
 */
#include "runtime/host/stamp.h"

int ompp_stamp_is_counter;

uint64_t ompp_stamp_slow(void)
{
	struct timespec now;

	ompp_clock_read(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t ompp_stamp_of(const struct ompp_stamp_scale *scale, uint64_t ns)
{
	unsigned __int128 t = (unsigned __int128)(ns - scale->zero) << scale->shift;

	return (uint64_t)((t + scale->mult - 1) / scale->mult);
}

struct ompp_stamp_reading ompp_stamp_read(void)
{
	uint64_t ns = ompp_stamp_slow();

	return (struct ompp_stamp_reading){ ompp_stamp_is_counter ? ompp_clock_tsc() : ns, ns };
}

uint64_t ompp_stamp_ns(uint64_t stamp, const struct ompp_stamp_reading *first, const struct ompp_stamp_reading *last)
{
	int64_t stamps = (int64_t)(last->stamp - first->stamp), ns = (int64_t)(last->ns - first->ns);
	__int128 since = (__int128)(int64_t)(stamp - first->stamp) * ns;

	return stamps > 0 ? first->ns + (uint64_t)(int64_t)(since / stamps) : last->ns;
}
