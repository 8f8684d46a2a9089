/* One thread makes N tasks of STEPS steps each; mended, each task has BLOCK of them. */
#include <stdio.h>
#include "work.h"
#ifndef BLOCK
#define BLOCK 1
#endif
static double a[N];
int main(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < N; i += BLOCK)
#pragma omp task firstprivate(i)
		for (int k = i; k < i + BLOCK && k < N; k++)
			a[k] = work(STEPS);
	printf("%g\n", a[N - 1]);
}
