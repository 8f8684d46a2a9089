/* N tasks with an if clause that holds when they have LEAST steps. */
#include <stdio.h>
#include "work.h"
static double a[N];
int main(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < N; i++)
#pragma omp task firstprivate(i) if (STEPS >= LEAST)
		a[i] = work(STEPS);
	printf("%g\n", a[N - 1]);
}
