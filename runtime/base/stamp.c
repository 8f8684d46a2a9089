/*
 * Stamp: see stamp.h.
 */
#include "runtime/base/stamp.h"

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
