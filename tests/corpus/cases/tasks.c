/* Tasks, taskloops, groups, cancellation, masked, scope, loop, target on the host.
 * Regions: TASK 88, TASKEXEC 88, TASK 88, TASKEXEC 88, TASKWAIT 88, PARALLEL 3, SINGLE 3, PARALLEL 2, MASKED 1,
 * TASKGROUP 1, TASKLOOP 1, TASKEXEC 20, ATOMIC 7, TASK 1, TASKEXEC 1, TASK 1, TASKEXEC 1, TASKYIELD 2, BARRIER 2,
 * SCOPE 2, GENERIC LOOP 2, FLUSH 2, PARALLEL LOOP 2, CANCEL 100, CANCELLATION POINT 100, ATOMIC 100, TARGET 1,
 * TEAMS 1, DISTRIBUTE 1, TARGET DATA 1, TARGET UPDATE 1. */
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
