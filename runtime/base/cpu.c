/*
 * CPU: see cpu.h.
 */
#define _GNU_SOURCE
#include "runtime/base/cpu.h"

#include "runtime/base/clock.h"
#include "runtime/base/sys.h"

static int64_t ns_of(const struct timespec *t)
{
	return (int64_t)t->tv_sec * 1000000000 + t->tv_nsec;
}

/* A thread that loses its processor between the readings loses it, by the numbers, behind them. */
int ompp_cpu_read(struct ompp_cpu_reading *reading)
{
	struct timespec wall, cpu;
	struct rusage usage;
	int rc;

	ompp_clock_read(CLOCK_MONOTONIC, &wall);
	rc = ompp_sys_clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
	if (!rc)
		rc = ompp_sys_getrusage(RUSAGE_THREAD, &usage);
	if (rc)
		return rc;
	reading->monotonic_ns = ns_of(&wall);
	reading->cpu_ns = ns_of(&cpu);
	reading->n_voluntary = (uint64_t)usage.ru_nvcsw;
	return 0;
}
