/*
 * Findings: programs whose waiting has one known cause.  Usage: findings KIND N [WORK]
 *   uniform   a loop of equal iterations, N times
 *   ramp      a loop whose iterations for thread 1 are twice as long as those for thread 0, N times
 *   serial    N rounds of work outside, then one in a team
 *   naps      the same with 2 ms of sleep after each loop, so that the team sleeps, too
 *   sleep     thread 1 sleeps 20 ms in each of N loops, without any work
 * WORK: additions in an iteration.  The work of each is counted in additions, so that other programs do not change it.
 */
#define _POSIX_C_SOURCE 200112L
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long work = 20000;

static double burn(long n)
{
	volatile double x = 0;

	for (long i = 0; i < n; i++)
		x = x + 1;
	return x;
}

static double uniform(int n, int naps)
{
	const struct timespec nap = { 0, 2000000 };
	double sum = 0;

	for (int k = 0; k < n; k++) {
#pragma omp parallel for reduction(+:sum)
		for (int i = 0; i < 8; i++)
			sum += burn(work);
		if (naps)
			nanosleep(&nap, NULL);
	}
	return sum;
}

static double ramp(int n)
{
	double sum = 0;

#pragma omp parallel num_threads(2)
	for (int k = 0; k < n; k++) {
#pragma omp for schedule(static, 4) reduction(+:sum)
		for (int i = 0; i < 8; i++)
			sum += burn(work * (i / 4 + 1));
	}
	return sum;
}

static double serial(int n)
{
	double sum = burn(n * work);

#pragma omp parallel num_threads(2) reduction(+:sum)
	sum += burn(work);
	return sum;
}

static double sleeping(int n)
{
	const struct timespec pause = { 0, 20000000 };

#pragma omp parallel num_threads(2)
	for (int k = 0; k < n; k++) {
#pragma omp for schedule(static, 1)
		for (int i = 0; i < 2; i++)
			if (i)
				nanosleep(&pause, NULL);
	}
	return 0;
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 1;
	const char *kind = argc > 1 ? argv[1] : "";

	if (argc > 3)
		work = atol(argv[3]);
	printf("%g\n", !strcmp(kind, "uniform") ? uniform(n, 0) : !strcmp(kind, "naps") ? uniform(n, 1) : !strcmp(kind, "ramp") ? ramp(n)
	       : !strcmp(kind, "serial") ? serial(n) : sleeping(n));
	return 0;
}
