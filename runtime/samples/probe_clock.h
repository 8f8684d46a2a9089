/*
 * Probe clock: whether user mode can time single loads here.
 */
#ifndef OMPP_SAMPLES_PROBE_CLOCK_H
#define OMPP_SAMPLES_PROBE_CLOCK_H

#include "runtime/base/text.h"

/* The architectures that have a clock for it, on which access hooks have sampling variants (adapters/access_pair.h). */
#if defined(__x86_64__) && defined(__LP64__)
#define OMPP_PROBE_X86_64
#elif defined(__aarch64__) && defined(__LP64__) && defined(__AARCH64EL__)
#define OMPP_PROBE_AARCH64
#endif

#ifdef OMPP_PROBE_X86_64
#include <cpuid.h>

/* Returns 1 when a clock is read in order with loads; else 0, and says why. */
static inline int ompp_probe_has_clock(struct ompp_text *why)
{
	unsigned int a, b, c, d;

	if (__get_cpuid(0x80000001, &a, &b, &c, &d) && d & 1u << 27)
		return 1;
	ompp_text_str(why, "this processor has no clock that is read in order with loads (RDTSCP)");
	return 0;
}
#elif defined(OMPP_PROBE_AARCH64)
#define OMPP_PROBE_LEAST_HZ 500000000 /* a load of the nearest cache takes one or two nanoseconds */

/* Returns 1 when the clock's steps are short enough for one load; those of many machines are of 8 to 50 ns.  Else
 * returns 0, and says why. */
static inline int ompp_probe_has_clock(struct ompp_text *why)
{
	uint64_t hz;

	__asm__("mrs %0, cntfrq_el0" : "=r"(hz));
	if (hz >= OMPP_PROBE_LEAST_HZ)
		return 1;
	ompp_text_str(why, "the clock that programs can read (cntvct_el0) has ");
	ompp_text_u64(why, hz / 1000000);
	ompp_text_str(why, " MHz here, and 500 are needed to time one load");
	return 0;
}
#else
static inline int ompp_probe_has_clock(struct ompp_text *why)
{
	ompp_text_str(why, "this architecture has no clock that user mode can read in order with loads");
	return 0;
}
#endif

#endif
