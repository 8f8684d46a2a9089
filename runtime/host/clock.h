/*
 * Clock: the one time source of the runtime, in ticks.
 *
 * Ticks are TSC cycles where the kernel and the processor say that the TSC is invariant, else nanoseconds of
 * CLOCK_MONOTONIC.  ompp_clock_open() chooses once, before the first event; afterwards the kind never changes.
 * The rate is not calibrated by sleeping: it is the ratio of two readings of both clocks, one at the start, one
 * when a report is made.
 *
 * The clock can be stopped and restarted: it shows measured time only, and no interval contains the time in between.
 * Programs that never stop it pay nothing for that; in others, each reading is a function call from the first stop on.
 */
#ifndef OMPP_HOST_CLOCK_H
#define OMPP_HOST_CLOCK_H

#include <stdint.h>
#include <time.h>

enum ompp_clock_kind { OMPP_CLOCK_MONOTONIC, OMPP_CLOCK_TSC, OMPP_CLOCK_FAKE };

extern enum ompp_clock_kind ompp_clock_kind; /* written by ompp_clock_open alone */

/* 1 when a reading is the TSC's value; 0 when ompp_clock_slow() has to read another clock, or to subtract the time
 * during which the clock was stopped. */
extern int ompp_clock_is_plain __attribute__((visibility("hidden")));

/* A reading of both clocks at one moment; two readings give the rate of the ticks.  raw_ticks also advance while the
 * clock is stopped. */
struct ompp_clock_anchor {
	uint64_t ticks, raw_ticks;
	int64_t monotonic_ns;
};

/* Chooses the clock by its name: "auto", "tsc", "monotonic" or "fake".  Returns 0, or -ENOTSUP when this clock does not
 * work here; then the clock is CLOCK_MONOTONIC. */
int ompp_clock_open(const char *name);
const char *ompp_clock_name(void);

/* Reads one of the system's clocks, as clock_gettime() does; *now is 0 where the kernel does not have it. */
void ompp_clock_read(clockid_t clock, struct timespec *now);

/* Returns CLOCK_MONOTONIC in nanoseconds. */
uint64_t ompp_clock_monotonic_ns(void);

void ompp_clock_anchor(struct ompp_clock_anchor *anchor);

/* Stop and restart the clock.  They are called alternately, by one thread at a time; others may read the clock
 * meanwhile. */
void ompp_clock_stop(void);
void ompp_clock_go(void);

/* The rate of the clock between two anchors: ns = ticks * num / den. */
struct ompp_clock_rate {
	uint64_t num, den;
};
struct ompp_clock_rate ompp_clock_rate(const struct ompp_clock_anchor *start, const struct ompp_clock_anchor *now);
int64_t ompp_clock_ns(struct ompp_clock_rate rate, int64_t ticks);

uint64_t ompp_clock_slow(void);

/* Returns the processor's counter.  It is never called on processors without one. */
static inline uint64_t ompp_clock_tsc(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t v;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(v));
	return v;
#else
	return 0;
#endif
}

static inline int ompp_clock_is_other(void)
{
	return __builtin_expect(!__atomic_load_n(&ompp_clock_is_plain, __ATOMIC_RELAXED), 0);
}

/* Returns the time now, in ticks.  HOT. */
static inline uint64_t ompp_clock(void)
{
	return ompp_clock_is_other() ? ompp_clock_slow() : ompp_clock_tsc();
}

#endif
