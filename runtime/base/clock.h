/*
 * Clock: the one time source of the runtime, in ticks.
 *
 * Ticks are TSC cycles where the kernel and the processor say that the TSC is invariant, else nanoseconds of
 * CLOCK_MONOTONIC.  ompp_clock_open() chooses once, before the first event; afterwards the kind never changes.
 * The rate is not calibrated by sleeping: it is the ratio of two readings of both clocks, one at the start, one
 * when a report is made.
 */
#ifndef OMPP_BASE_CLOCK_H
#define OMPP_BASE_CLOCK_H

#include <stdint.h>

enum ompp_clock_kind { OMPP_CLOCK_MONOTONIC, OMPP_CLOCK_TSC, OMPP_CLOCK_FAKE };

extern enum ompp_clock_kind ompp_clock_kind;    /* written by ompp_clock_open alone */

/* Both clocks at one moment: the anchor for converting ticks. */
struct ompp_clock_anchor { uint64_t ticks; int64_t monotonic_ns; };

/* name: "auto", "tsc", "monotonic", "fake".  -ENOTSUP if this clock does not work here (the clock is then
 * CLOCK_MONOTONIC). */
int ompp_clock_open(const char *name);
const char *ompp_clock_name(void);

void ompp_clock_anchor(struct ompp_clock_anchor *anchor);

/* Ticks per second from two anchors, as a ratio ns = ticks * num / den. */
struct ompp_clock_rate { uint64_t num, den; };
struct ompp_clock_rate ompp_clock_rate(const struct ompp_clock_anchor *start, const struct ompp_clock_anchor *now);
int64_t ompp_clock_ns(struct ompp_clock_rate rate, int64_t ticks);

/* HOT for the first two kinds of clock only through ompp_clock(). */
uint64_t ompp_clock_slow(void);

static inline uint64_t ompp_clock(void)
{
#if defined(__x86_64__) || defined(__i386__)
	if (__builtin_expect(ompp_clock_kind == OMPP_CLOCK_TSC, 1))
		return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	if (__builtin_expect(ompp_clock_kind == OMPP_CLOCK_TSC, 1)) {
		uint64_t v;

		__asm__ volatile("mrs %0, cntvct_el0" : "=r"(v));
		return v;
	}
#endif
	return ompp_clock_slow();
}

#endif
