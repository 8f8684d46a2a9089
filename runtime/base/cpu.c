/*
 * CPU: see cpu.h.
 */
#define _GNU_SOURCE
#include "runtime/base/cpu.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int64_t ns_of(const struct timespec *t)
{
	return (int64_t)t->tv_sec * 1000000000 + t->tv_nsec;
}

/* A thread that loses its processor between the readings loses it, by the numbers, behind them. */
int ompp_cpu_read(struct ompp_cpu_reading *reading)
{
	struct timespec wall, cpu;
	struct rusage usage;
	int saved = errno, rc = 0;

	if (clock_gettime(CLOCK_MONOTONIC, &wall) || clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu) ||
	    syscall(SYS_getrusage, RUSAGE_THREAD, &usage))
		rc = -errno;
	errno = saved;
	if (rc)
		return rc;
	reading->monotonic_ns = ns_of(&wall);
	reading->cpu_ns = ns_of(&cpu);
	reading->n_voluntary = (uint64_t)usage.ru_nvcsw;
	return 0;
}
