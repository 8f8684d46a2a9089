/*
 * spin.h: work of a known length, for the examples that plant an overhead.
 */
#ifndef SPIN_H
#define SPIN_H

#include <omp.h>
#include <time.h>

static inline double spin_cpu_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Keeps the processor busy for so many seconds of this thread's CPU time, so that other programs on the machine make the
 * work take longer, but never make it less.  Returns the wall time that it took. */
static inline double spin(double seconds)
{
	double start = omp_get_wtime(), cpu = spin_cpu_time();

	while (spin_cpu_time() - cpu < seconds)
		;
	return omp_get_wtime() - start;
}

#endif
