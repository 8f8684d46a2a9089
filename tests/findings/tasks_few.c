/* TIMES times N tasks that share STEPS steps. */
#include <stdio.h>
#include "work.h"
static double a[N];
int main(void)
{
#pragma omp parallel
	for (int t = 0; t < TIMES; t++) {
#pragma omp single
		for (int i = 0; i < N; i++)
#pragma omp task firstprivate(i)
			a[i] += work(STEPS / N);
	}
	printf("%g\n", a[N - 1]);
}
