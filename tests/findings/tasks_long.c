/*
 * N tasks of STEPS steps, of which the last one takes LONG times as many; mended, that one comes first.  N is below 64
 * times the threads: of more, libgomp queues none but lets the thread that makes a task run it at once, so that the last
 * one need not be the last to begin.
 */
#include <stdio.h>
#include "work.h"
static double a[N];
int main(void)
{
#ifdef MENDED
	const int longest = 0;
#else
	const int longest = N - 1;
#endif

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < N; i++)
#pragma omp task firstprivate(i)
		a[i] = work(i == longest ? (long)STEPS * LONG : STEPS);
	printf("%g\n", a[N - 1]);
}
