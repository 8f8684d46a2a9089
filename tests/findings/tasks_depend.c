/* N tasks that work on BLOCKS blocks of data.  With WHOLE they all depend on the whole array, so that they run in turn. */
#include <stdio.h>
#include "work.h"
enum { BLOCKS = 8 };
static double a[BLOCKS];
int main(void)
{
#pragma omp parallel
#pragma omp master
	for (int i = 0; i < N; i++)
#ifdef WHOLE
#pragma omp task firstprivate(i) depend(inout: a)
#else
#pragma omp task firstprivate(i) depend(inout: a[i % BLOCKS])
#endif
		a[i % BLOCKS] += work(STEPS);
	printf("%g\n", a[0]);
}
