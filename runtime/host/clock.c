/*
 * Clock: see clock.h.
 */
#define _GNU_SOURCE
#include "runtime/host/clock.h"

#include <elf.h>
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "runtime/base/array.h"
#include "runtime/base/auxv.h"
#include "runtime/base/relaxed.h"
#include "runtime/base/sys.h"
#include "runtime/host/dynamic.h"

enum ompp_clock_kind ompp_clock_kind = OMPP_CLOCK_MONOTONIC;
int ompp_clock_is_plain;

enum { FAKE_STEP_NS = 1000 }; /* a reading of the fake clock advances it by this */
static _Atomic uint64_t fake_ns;

/* While the clock runs this has the ticks that it stood so far; while it stands, STANDS and the ticks that it shows.
 * ompp_clock_stop() and ompp_clock_go() write it, all threads read it. */
#define STANDS (UINT64_C(1) << 63)
static _Atomic uint64_t stops;

/* CPUID 0x80000007 EDX bit 8: the TSC runs at a constant rate in all power states. */
static int tsc_is_invariant(void)
{
#if defined(__x86_64__) || defined(__i386__)
	unsigned int a, b, c, d;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8));
#elif defined(__aarch64__)
	return 1; /* the generic timer is, by architecture */
#else
	return 0;
#endif
}

/* Finds the kernel's own function in the process, which needs no system call, and asks the kernel for what it cannot
 * do. */
static int (*vdso_gettime)(clockid_t clock, struct timespec *now);

static void find_vdso(void)
{
	static const char *const names[] = { "__vdso_clock_gettime", "__kernel_clock_gettime" };
	const ElfW(Ehdr) *vdso = (const ElfW(Ehdr) *)ompp_auxv(AT_SYSINFO_EHDR);
	struct ompp_dynamic d;

	if (!vdso || ompp_dynamic_at(&d, vdso))
		return;
	for (size_t i = 0; i < OMPP_COUNT_OF(names) && !vdso_gettime; i++)
		OMPP_STORE(&vdso_gettime, (__typeof__(vdso_gettime))ompp_dynamic_function(&d, names[i]));
}

void ompp_clock_read(clockid_t clock, struct timespec *now)
{
	__typeof__(vdso_gettime) gettime = OMPP_LOAD(&vdso_gettime);

	if (gettime ? gettime(clock, now) : ompp_sys_clock_gettime(clock, now))
		*now = (struct timespec){ 0, 0 };
}

uint64_t ompp_clock_monotonic_ns(void)
{
	struct timespec now;

	ompp_clock_read(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int ompp_clock_open(const char *name)
{
	find_vdso();
	atomic_store_explicit(&stops, 0, memory_order_relaxed);
	if (!strcmp(name, "fake")) {
		ompp_clock_kind = OMPP_CLOCK_FAKE;
		ompp_clock_is_plain = 0;
		return 0;
	}
	if (!strcmp(name, "monotonic") || !tsc_is_invariant()) {
		ompp_clock_kind = OMPP_CLOCK_MONOTONIC;
		ompp_clock_is_plain = 0;
		return strcmp(name, "tsc") ? 0 : -ENOTSUP;
	}
	ompp_clock_kind = OMPP_CLOCK_TSC;
	ompp_clock_is_plain = 1;
	return 0;
}

const char *ompp_clock_name(void)
{
	switch (ompp_clock_kind) {
#ifdef __aarch64__
	case OMPP_CLOCK_TSC:
		return "cntvct"; /* the generic timer */
#else
	case OMPP_CLOCK_TSC:
		return "tsc";
#endif
	case OMPP_CLOCK_FAKE:
		return "fake";
	default:
		return "monotonic";
	}
}

static int64_t monotonic_ns(void)
{
	struct timespec t;

	ompp_clock_read(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static uint64_t raw_ticks(void)
{
	switch (ompp_clock_kind) {
	case OMPP_CLOCK_TSC:
		return ompp_clock_tsc();
	case OMPP_CLOCK_FAKE:
		return atomic_fetch_add_explicit(&fake_ns, FAKE_STEP_NS, memory_order_relaxed) + FAKE_STEP_NS;
	default:
		return (uint64_t)monotonic_ns();
	}
}

static uint64_t clock_shown(uint64_t state, uint64_t raw)
{
	return state & STANDS ? state & ~STANDS : raw - state;
}

/* The clock may stop between the two readings: the state is read again. */
uint64_t ompp_clock_slow(void)
{
	uint64_t state = atomic_load_explicit(&stops, memory_order_acquire), before, raw;

	do {
		before = state;
		raw = state & STANDS ? 0 : raw_ticks();
		state = atomic_load_explicit(&stops, memory_order_acquire);
	} while (state != before);
	return clock_shown(state, raw);
}

void ompp_clock_stop(void)
{
	uint64_t state = atomic_load_explicit(&stops, memory_order_relaxed);

	__atomic_store_n(&ompp_clock_is_plain, 0, __ATOMIC_RELAXED);
	if (!(state & STANDS))
		atomic_store_explicit(&stops, STANDS | clock_shown(state, raw_ticks()), memory_order_release);
}

void ompp_clock_go(void)
{
	uint64_t state = atomic_load_explicit(&stops, memory_order_relaxed);

	if (state & STANDS)
		atomic_store_explicit(&stops, raw_ticks() - (state & ~STANDS), memory_order_release);
}

void ompp_clock_anchor(struct ompp_clock_anchor *anchor)
{
	int is_tsc = ompp_clock_kind == OMPP_CLOCK_TSC, i;
	uint64_t best = UINT64_MAX;

	/* The closest of a few brackets: an interrupt between the two readings would bend the rate. */
	for (i = 0; i < 5; i++) {
		uint64_t before = raw_ticks(), after;
		int64_t ns = is_tsc ? monotonic_ns() : (int64_t)before;

		after = is_tsc ? raw_ticks() : before;
		if (after - before < best) {
			best = after - before;
			anchor->raw_ticks = before + best / 2;
			anchor->monotonic_ns = ns;
		}
		if (!is_tsc)
			break;
	}
	anchor->ticks = clock_shown(atomic_load_explicit(&stops, memory_order_acquire), anchor->raw_ticks);
}

struct ompp_clock_rate ompp_clock_rate(const struct ompp_clock_anchor *start, const struct ompp_clock_anchor *now)
{
	struct ompp_clock_rate rate = { 1, 1 };

	if (ompp_clock_kind == OMPP_CLOCK_TSC && now->raw_ticks > start->raw_ticks &&
	    now->monotonic_ns > start->monotonic_ns) {
		rate.num = (uint64_t)(now->monotonic_ns - start->monotonic_ns);
		rate.den = now->raw_ticks - start->raw_ticks;
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
