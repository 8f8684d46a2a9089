#include <stdio.h>
static long n;
static void recurse(int depth)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(static)
		for (int i = 0; i < 2; i++)
			if (depth)
				recurse(depth - 1);
#pragma omp critical
		n++;
	}
}
int main(void)
{
	int found = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp taskloop grainsize(1)
		for (int i = 0; i < 100; i++)
#pragma omp atomic
			n++;
#pragma omp taskloop grainsize(1) nogroup
		for (int i = 0; i < 10; i++)
#pragma omp atomic
			n++;
#pragma omp taskwait
#pragma omp task untied
		{
#pragma omp task
#pragma omp atomic
			n++;
#pragma omp taskwait
#pragma omp task
#pragma omp atomic
			n++;
#pragma omp taskyield
		}
	}
	recurse(2);
#pragma omp parallel num_threads(1)
#pragma omp critical
	n++;
#pragma omp parallel num_threads(2)
	{
#pragma omp for
		for (int i = 0; i < 100; i++) {
			if (i == 10) {
#pragma omp atomic write
				found = 1;
#pragma omp cancel for
			}
#pragma omp cancellation point for
		}
#pragma omp critical(last)
		n++;
	}
	printf("%ld %d\n", n, found);
	return 0;
}
