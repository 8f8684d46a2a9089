/*
 * Floor event: one reading of the clock, stored, which the floors of the benchmarks do at each event.
 */
#ifndef FLOOR_EVENT_H
#define FLOOR_EVENT_H

#include <stdint.h>

#if defined(__x86_64__) || defined(__i386__)
#define CLOCK() __builtin_ia32_rdtsc()
#else
#include <time.h>
static uint64_t CLOCK(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
#endif

enum { RING = 1024 };

static __thread struct { uint64_t n, ticks[RING]; } events __attribute__((tls_model("initial-exec")));

static inline void event(void)
{
	events.ticks[events.n++ & (RING - 1)] = CLOCK();
}

#endif
