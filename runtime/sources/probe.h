/*
 * Probe: measures the latency of one load, from which it derives the level of memory that served it.
 *
 * The boundaries between levels are measured at the start, on memory of our own: loads at random addresses in a part of
 * it that fits into each cache, and of lines that were flushed from all caches.  Adjacent levels whose latencies
 * overlap are not distinguished: such caches are "some cache", and the level is unknown where a cache and memory
 * overlap.  Times are in ticks of the processor's time-stamp counter, on aarch64 of the generic timer's.
 */
#ifndef OMPP_SOURCES_PROBE_H
#define OMPP_SOURCES_PROBE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/text.h"
#include "runtime/samples/probe_clock.h"
#include "runtime/sources/source.h"

/* What latencies are counted in; "" on architectures without such a clock (samples/probe_clock.h). */
#ifdef OMPP_PROBE_X86_64
#define OMPP_PROBE_UNIT "TSC cycles"
#elif defined(OMPP_PROBE_AARCH64)
#define OMPP_PROBE_UNIT "cntvct ticks"
#else
#define OMPP_PROBE_UNIT ""
#endif

enum { OMPP_PROBE_LEVELS = 4 };

/* A range of latencies that stands for the levels `first` to `last`: 0 to 2 are L1 to L3, 3 is memory. */
struct ompp_probe_range {
	uint32_t most; /* the largest latency of the range; UINT32_MAX in the last one */
	uint8_t first, last;
	uint8_t level; /* the level of samples: enum ompp_mem_level */
};

struct ompp_probe_levels {
	uint32_t empty;   /* the time of an empty probe, which is subtracted from all others */
	uint32_t longest; /* a longer time is due to an interrupt or the like */
	uint32_t step;    /* the resolution of the clock: readings differ by multiples of it */
	int knows_cpu;    /* 1 when the clock also tells the processor */
	uint32_t n;
	struct ompp_probe_range range[OMPP_PROBE_LEVELS];
};
extern struct ompp_probe_levels ompp_probe_levels; /* written by ompp_probe_start alone */

/* Calibrates the probe on this machine; takes some milliseconds.  Returns 0, or -errno and the reason in `why`.
 * COLD. */
int ompp_probe_start(struct ompp_why *why);

/* Appends the ranges: "L1 and L2 up to 40, L3 up to 200, memory above". */
void ompp_probe_describe(struct ompp_text *text);

/* The result of a probe, with or without a load. */
struct ompp_probe {
	uint64_t start_ticks, end_ticks; /* readings of the counter */
	uint32_t cpu;                    /* UINT32_MAX where the clock does not tell it */
};
struct ompp_probe ompp_probe_load(const void *p);
struct ompp_probe ompp_probe_nothing(void);

/* Waits until all earlier instructions are completed; later ones do not start before that. */
static inline void ompp_probe_wait(void)
{
#if defined(__x86_64__)
	__asm__ volatile("lfence" : : : "memory");
#elif defined(__aarch64__)
	__asm__ volatile("dsb nshld\n\tisb" : : : "memory");
#endif
}

/* Returns the processor of this thread; UINT32_MAX when it is not known without a system call. */
static inline uint32_t ompp_probe_cpu(void)
{
#if defined(__x86_64__)
	uint32_t low, high, cpu;

	if (ompp_probe_levels.knows_cpu) {
		__asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(cpu));
		return cpu & 0xfff;
	}
#endif
	return UINT32_MAX;
}

/* Returns the latency of a probe, at least 1; 0 when its time cannot be that of a load. */
static inline uint32_t ompp_probe_latency(const struct ompp_probe *probe)
{
	uint64_t ticks = probe->end_ticks - probe->start_ticks, empty = ompp_probe_levels.empty;

	ticks = ticks > empty ? ticks - empty : 1;
	return ticks <= ompp_probe_levels.longest ? (uint32_t)ticks : 0;
}

/* Returns the level for this latency. */
static inline uint8_t ompp_probe_level(uint32_t latency)
{
	uint32_t i = 0;

	while (ompp_probe_levels.range[i].most < latency)
		i++;
	return ompp_probe_levels.range[i].level;
}

#endif
