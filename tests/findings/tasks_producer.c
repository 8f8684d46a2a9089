/* One thread prepares each of N tasks, which takes it PREPARE steps; mended, the tasks do that themselves. */
#include <stdio.h>
#include "work.h"
static double a[N];
int main(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < N; i++) {
#ifndef MENDED
		double x = work(PREPARE);
#pragma omp task firstprivate(i, x)
		a[i] = x + work(STEPS);
#else
#pragma omp task firstprivate(i)
		a[i] = work(PREPARE) + work(STEPS);
#endif
	}
	printf("%g\n", a[N - 1]);
}
