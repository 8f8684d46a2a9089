/*
 * spin.h: work of a known length, for the examples that plant an overhead.
 */
#ifndef SPIN_H
#define SPIN_H

#include <omp.h>

/* Keep the processor busy for so many seconds of wall time; return what it took in truth. */
static inline double spin(double seconds)
{
	double start = omp_get_wtime(), now;

	do
		now = omp_get_wtime();
	while (now - start < seconds);
	return now - start;
}

#endif
