/*
 * Clock: see clock.h.
 */
#define _GNU_SOURCE
#include "runtime/base/clock.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

enum ompp_clock_kind ompp_clock_kind = OMPP_CLOCK_MONOTONIC;

enum { FAKE_STEP_NS = 1000 };               /* a reading of the fake clock advances it by this */
static _Atomic uint64_t fake_ns;

/* CPUID 0x80000007 EDX bit 8: the TSC runs at a constant rate in all power states. */
static int tsc_is_invariant(void)
{
#if defined(__x86_64__) || defined(__i386__)
	unsigned int a, b, c, d;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8));
#elif defined(__aarch64__)
	return 1;                           /* the generic timer is, by architecture */
#else
	return 0;
#endif
}

int ompp_clock_open(const char *name)
{
	if (!strcmp(name, "fake")) {
		ompp_clock_kind = OMPP_CLOCK_FAKE;
		return 0;
	}
	if (!strcmp(name, "monotonic") || !tsc_is_invariant()) {
		ompp_clock_kind = OMPP_CLOCK_MONOTONIC;
		return strcmp(name, "tsc") ? 0 : -ENOTSUP;
	}
	ompp_clock_kind = OMPP_CLOCK_TSC;
	return 0;
}

const char *ompp_clock_name(void)
{
	switch (ompp_clock_kind) {
#ifdef __aarch64__
	case OMPP_CLOCK_TSC:  return "cntvct";          /* the generic timer */
#else
	case OMPP_CLOCK_TSC:  return "tsc";
#endif
	case OMPP_CLOCK_FAKE: return "fake";
	default:              return "monotonic";
	}
}

static int64_t monotonic_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

uint64_t ompp_clock_slow(void)
{
	if (ompp_clock_kind == OMPP_CLOCK_FAKE)
		return atomic_fetch_add_explicit(&fake_ns, FAKE_STEP_NS, memory_order_relaxed) + FAKE_STEP_NS;
	return (uint64_t)monotonic_ns();
}

void ompp_clock_anchor(struct ompp_clock_anchor *anchor)
{
	uint64_t best = UINT64_MAX;
	int i;

	/* The closest of a few brackets: an interrupt between the two readings would bend the rate. */
	for (i = 0; i < 5; i++) {
		uint64_t before = ompp_clock(), after;
		int64_t ns = ompp_clock_kind == OMPP_CLOCK_TSC ? monotonic_ns() : (int64_t)before;

		after = ompp_clock_kind == OMPP_CLOCK_TSC ? ompp_clock() : before;
		if (after - before < best) {
			best = after - before;
			anchor->ticks = before + best / 2;
			anchor->monotonic_ns = ns;
		}
		if (ompp_clock_kind != OMPP_CLOCK_TSC)
			break;
	}
}

struct ompp_clock_rate ompp_clock_rate(const struct ompp_clock_anchor *start, const struct ompp_clock_anchor *now)
{
	struct ompp_clock_rate rate = { 1, 1 };

	if (ompp_clock_kind == OMPP_CLOCK_TSC && now->ticks > start->ticks &&
	    now->monotonic_ns > start->monotonic_ns) {
		rate.num = (uint64_t)(now->monotonic_ns - start->monotonic_ns);
		rate.den = now->ticks - start->ticks;
	}
	return rate;
}

int64_t ompp_clock_ns(struct ompp_clock_rate rate, int64_t ticks)
{
	int negative = ticks < 0;
	unsigned __int128 v = negative ? (uint64_t)-ticks : (uint64_t)ticks;

	v = (v * rate.num + rate.den / 2) / rate.den;
	return negative ? -(int64_t)v : (int64_t)v;
}
