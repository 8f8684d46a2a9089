/* Tasks, taskloops, groups, cancellation, masked, scope, loop, target on the host. */
#include <stdio.h>

static int fib(int n)
{
	int a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a) firstprivate(n) if (n > 3) untied
	a = fib(n - 1);
#pragma omp task shared(b) default(none) firstprivate(n) final(n < 4) mergeable
	{ b = fib(n - 2); }
#pragma omp taskwait
	return a + b;
}

int main(void)
{
	int result = 0, sum = 0, order = 0, dep = 0, squares[10], i;

#pragma omp parallel num_threads(3)
#pragma omp single
	result = fib(10);
#pragma omp parallel num_threads(2)
	{
#pragma omp masked
#pragma omp taskgroup
		{
#pragma omp taskloop grainsize(3) shared(sum)
			for (int k = 0; k < 20; k++) {
				if (k % 3)
					continue;
#pragma omp atomic
				sum += k;
			}
#pragma omp task depend(out : dep) shared(dep)
			dep = 1;
#pragma omp task depend(inout : dep) shared(dep)
			dep = dep * 10 + 2;
		}
#pragma omp taskyield
#pragma omp barrier
#pragma omp scope reduction(+ : order)
		order += 1;
#pragma omp loop bind(parallel)
		for (i = 0; i < 10; i++)
			squares[i] = i * i;
#pragma omp flush
	}
#pragma omp parallel for num_threads(2)
	for (i = 0; i < 100; i++) {
#pragma omp cancel for if (0)
#pragma omp cancellation point for
#pragma omp atomic
		sum++;
	}
#pragma omp target map(tofrom : sum)
#pragma omp teams num_teams(1)
#pragma omp distribute parallel for reduction(+ : sum)
	for (i = 0; i < 8; i++)
		sum += i;
#pragma omp target data map(tofrom : sum)
	{
#pragma omp target update from(sum)
	}
	printf("%d %d %d %d %d\n", result, sum, order, dep, squares[9]);
	return 0;
}
