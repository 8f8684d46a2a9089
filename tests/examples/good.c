/*
 * good: a program in which nothing is wrong, in one of several ways: the threads have the same work, or are handed it out
 * on demand; they seldom want the same.  Work is counted, and not timed, so that a thread that has lost its processor has
 * no less of it.  Usage: good loop|dynamic|reduction|critical|lock|sections|barrier|tasks|single|master
 */
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 100000, ROUNDS = 40, PARTS = 64 };

/* Returns something that takes long to find. */
static double work(int n)
{
	double x = n;

	for (int i = 0; i < STEPS; i++)
		x = x * 0.999 + 1.0 / (x + 1);
	return x;
}

static double sums[256];
static double total;
static omp_lock_t lock;

static void loop(int n)
{
#pragma omp for
	for (int i = 0; i < PARTS; i++)
		sums[i] += work(n + i);
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "loop";
	double sum = 0;

	omp_init_lock(&lock);
#pragma omp parallel
	for (int n = 0; n < ROUNDS; n++) {
		int me = omp_get_thread_num();

		if (!strcmp(way, "dynamic")) {
#pragma omp for schedule(dynamic)
			for (int i = 0; i < PARTS * 2; i++)
				for (int k = 0; k < (i % 8 == 0) + (i % 3 == 0); k++)
					sums[i] += work(n + i);
		} else if (!strcmp(way, "reduction")) {
#pragma omp for reduction(+ : sum)
			for (int i = 0; i < PARTS; i++)
				sum += work(n + i);
		} else if (!strcmp(way, "sections")) {
#pragma omp sections
			{
				for (int i = 0; i < PARTS / 2; i++)
					sums[0] += work(i);
#pragma omp section
				for (int i = 0; i < PARTS / 2; i++)
					sums[64] += work(i);
			}
		} else if (!strcmp(way, "barrier")) {
			for (int i = 0; i < PARTS / 2; i++)
				sums[64 * me] += work(i);
#pragma omp barrier
		} else if (!strcmp(way, "tasks")) {
#pragma omp single
			for (int i = 0; i < PARTS; i++) {
#pragma omp task firstprivate(i)
				sums[i] += work(n + i);
			}
		} else {
			loop(n);
		}
		if (!strcmp(way, "critical")) {
#pragma omp critical
			total += sums[me];
		}
		if (!strcmp(way, "lock")) {
			omp_set_lock(&lock);
			total += sums[me];
			omp_unset_lock(&lock);
		}
		if (!strcmp(way, "single")) {
#pragma omp single
			total += sums[0];
		}
		if (!strcmp(way, "master")) {
#pragma omp master
			total += sums[0];
		}
	}
	omp_destroy_lock(&lock);
	printf("%.3f\n", sum + total + sums[0]);
	return 0;
}
