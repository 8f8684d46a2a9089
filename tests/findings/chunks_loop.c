/* A loop of N iterations of STEPS steps, TIMES times, handed out by SCHEDULE. */
#include <stdio.h>
#include "work.h"
static double a[N];
int main(void)
{
	for (int t = 0; t < TIMES; t++) {
#if defined DYNAMIC1
#pragma omp parallel for schedule(dynamic)
#elif defined DYNAMIC1024
#pragma omp parallel for schedule(dynamic, 1024)
#elif defined GUIDED
#pragma omp parallel for schedule(guided)
#else
#pragma omp parallel for schedule(SCHEDULE)
#endif
		for (int i = 0; i < N; i++)
			a[i] = a[i] * 0.5 + work(STEPS);
	}
	printf("%g\n", a[N - 1]);
}
