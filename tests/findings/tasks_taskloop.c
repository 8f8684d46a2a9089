/* A taskloop of N iterations of STEPS steps: one of them in a task, or COARSE 10,000. */
#include <stdio.h>
#include "work.h"
static double a[N];
int main(void)
{
#pragma omp parallel
#pragma omp single
#ifdef COARSE
#pragma omp taskloop grainsize(10000)
#else
#pragma omp taskloop grainsize(1)
#endif
	for (int i = 0; i < N; i++)
		a[i] = work(STEPS);
	printf("%g\n", a[N - 1]);
}
