/*
 * solve_sum: a library's parallel loop with a reduction.
 */
#include "solve.h"

double solve_sum(const double *values, int n)
{
	double sum = 0;
	int i;

#pragma omp parallel for reduction(+ : sum)
	for (i = 0; i < n; i++)
		sum += values[i];
	return sum;
}
