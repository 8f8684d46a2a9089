/*
 * solve_fill: a library's parallel region with a loop.
 */
#include "solve.h"

void solve_fill(double *values, int n)
{
#pragma omp parallel
	{
		int i;

#pragma omp for
		for (i = 0; i < n; i++)
			values[i] = i;
	}
}
