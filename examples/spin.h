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

/* Keep the processor busy for so many seconds of this thread's CPU time, so that other programs make the work longer, but
 * not less; return what it took of wall time. */
static inline double spin(double seconds)
{
	double start = omp_get_wtime(), cpu = spin_cpu_time();

	while (spin_cpu_time() - cpu < seconds)
		;
	return omp_get_wtime() - start;
}

#endif
