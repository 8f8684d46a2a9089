/*
 * tasks: a tree of tasks (Fibonacci, n = 15) and a flat set of 100 tasks of 1 ms.
 *
 * The report must show 986 creations and executions of each of the two tasks in fib, and 986 executions of TASKWAIT.  Of
 * the flat set it must show 100 creations, all in the thread that runs the single, and 100 executions on all threads,
 * with execT as long as the program measured in them.  Tasks that run in a barrier are taskT of the construct that waits
 * there, not imbalance.
 */
#include <stdio.h>

#include "spin.h"

enum { FLAT = 100, MAX_THREADS = 64 };

static double flat[MAX_THREADS];

/* fib(15) calls itself 1973 times; 986 of the calls have n ≥ 2 and create both tasks. */
static int fib(int n)
{
	int a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = fib(n - 1);
#pragma omp task shared(b)
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}

int main(void)
{
	double sum = 0;
	int result = 0, t;

#pragma omp parallel
	{
#pragma omp single
		result = fib(15);
#pragma omp single
		{
			int i;

			for (i = 0; i < FLAT; i++) {
#pragma omp task
				flat[omp_get_thread_num()] += spin(0.001);
			}
		}
	}
	for (t = 0; t < MAX_THREADS; t++)
		sum += flat[t];
	printf("fib %d\nmeasured TASKEXEC:46 SUM execT %.6f\n", result, sum);
	return result != 610;
}
