/*
 * Storm: one construct very often with next to nothing inside, in the ways that programs have it.
 * Usage: storm KIND N [DEPTH]; prints the CPU time in seconds that the threads of the parallel region took.
 *
 *   fib      N as in fib(N): a task a call but for the smallest, recursion and taskwait; other threads steal
 *   chain    N tasks below DEPTH tasks that enclose each other
 *   spawn    N tasks of one thread for all
 *   atomic   N additions to one variable by each thread          alone   to a variable of its own
 *   critical N by each thread
 *   loop     N worksharing loops of two iterations a thread
 *   barrier  N
 */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long n, depth, shared_sum;
static volatile int sink;

static long fib(long i)
{
	long a, b;

	if (i < 2)
		return i;
#pragma omp task shared(a)
	a = fib(i - 1);
#pragma omp task shared(b)
	b = fib(i - 2);
#pragma omp taskwait
	return a + b;
}

static void chain(long level)
{
	long i;

	if (level) {
#pragma omp task if(0)
		chain(level - 1);
		return;
	}
	for (i = 0; i < n; i++) {
#pragma omp task if(0)
		sink;
	}
}

static void run_fib(void)
{
#pragma omp single
	printf("# %ld\n", fib(n));
}

static void run_chain(void)
{
#pragma omp single
	chain(depth);
}

static void run_spawn(void)
{
	long i;

#pragma omp single
	for (i = 0; i < n; i++) {
#pragma omp task
		sink;
	}
}

static void run_atomic(void)
{
	long i;

	for (i = 0; i < n; i++) {
#pragma omp atomic
		shared_sum++;
	}
}

static void run_alone(void)
{
	long sum = 0, i;

	for (i = 0; i < n; i++) {
#pragma omp atomic
		sum++;
	}
	sink = sum != n;
}

static void run_critical(void)
{
	long i;

	for (i = 0; i < n; i++) {
#pragma omp critical
		shared_sum++;
	}
}

static void run_loop(void)
{
	long i, k;

	for (i = 0; i < n; i++) {
#pragma omp for nowait
		for (k = 0; k < 2 * omp_get_num_threads(); k++)
			sink;
	}
}

static void run_barrier(void)
{
	long i;

	for (i = 0; i < n; i++) {
#pragma omp barrier
	}
}

static double thread_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	static const struct { const char *name; void (*run)(void); } all[] = {
		{ "fib", run_fib }, { "chain", run_chain }, { "spawn", run_spawn }, { "atomic", run_atomic },
		{ "alone", run_alone }, { "critical", run_critical }, { "loop", run_loop },
		{ "barrier", run_barrier },
	};
	double seconds = 0;
	size_t i;

	if (argc < 3)
		return 2;
	n = atol(argv[2]);
	depth = argc > 3 ? atol(argv[3]) : 0;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(argv[1], all[i].name)) {
			void (*run)(void) = all[i].run;

#pragma omp parallel reduction(+ : seconds)
			{
				double before = thread_seconds();

				run();
#pragma omp barrier
				seconds += thread_seconds() - before;
			}
			printf("%.9f\n", seconds);
			return 0;
		}
	return 2;
}
