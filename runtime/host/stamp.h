/*
 * Stamp: the timestamp by which samples are matched with what the program did at that time.
 *
 * The kernel stamps samples with nanoseconds of one of its clocks.  Where the kernel publishes how its own clock
 * follows from the processor's counter, a stamp is a reading of that counter, and costs no more than that.  Otherwise
 * samples and stamps use CLOCK_MONOTONIC.  Unlike the runtime's clock (clock.h), stamps go on while measuring is off.
 */
#ifndef OMPP_HOST_STAMP_H
#define OMPP_HOST_STAMP_H

#include <stdint.h>

#include "runtime/host/clock.h"

/* 1 when stamps are readings of the processor's counter; 0 for nanoseconds of CLOCK_MONOTONIC.  It is written once, at
 * the session's start, by the sampling source. */
extern int ompp_stamp_is_counter __attribute__((visibility("hidden")));

/* How the kernel's own clock follows from the counter, according to struct perf_event_mmap_page: ns = zero + counter *
 * mult / 2^shift. */
struct ompp_stamp_scale {
	uint64_t zero;
	uint32_t mult; /* not 0 */
	uint16_t shift;
};

/* Returns the counter's value at a time of the kernel's own clock: the smallest one that the kernel converts to it. */
uint64_t ompp_stamp_of(const struct ompp_stamp_scale *scale, uint64_t ns);

uint64_t ompp_stamp_slow(void);

/* Returns the stamp of this moment. */
static inline uint64_t ompp_stamp(void)
{
	return ompp_stamp_is_counter ? ompp_clock_tsc() : ompp_stamp_slow();
}

/* A stamp, and the time of CLOCK_MONOTONIC at the same moment. */
struct ompp_stamp_reading {
	uint64_t stamp, ns;
};
struct ompp_stamp_reading ompp_stamp_read(void);

/* Returns the time of CLOCK_MONOTONIC at a stamp, by two readings; the stamp may lie before, between or behind them. */
uint64_t ompp_stamp_ns(uint64_t stamp, const struct ompp_stamp_reading *first, const struct ompp_stamp_reading *last);

#endif
