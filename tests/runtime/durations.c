/*
 * Durations: visits whose lengths the program measures itself.  Usage: durations KIND N
 *   spread   thread 0 sleeps 0.2 to 4 ms in each of N loops, by an order that hits all lengths
 *   first    work that takes 1,000 times as long the first time
 *   few      the same two thirds of the way
 *   even     the same work each time
 *   grow     thread 0 sleeps 0.1 ms longer in each of N loops; prints the mean of visits 2 to 17, and of the last 16
 * Prints, in seconds: the first visit, then the shortest, the median, the 95th percentile
 * and the longest of the others; which one was the longest, from 1; and the most
 * CPU time of the first thread in a visit.
 */
#define _POSIX_C_SOURCE 199309L
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double burn(long n)
{
	volatile double x = 0;

	for (long i = 0; i < n; i++)
		x = x + 1;
	return x;
}

static double cpu_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void rest(long us)
{
	const struct timespec t = { 0, us * 1000 };

	nanosleep(&t, NULL);
}

static int after(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "even";
	int n = argc > 2 ? atoi(argv[2]) : 100, longest = 1;
	double *took = calloc((size_t)n, sizeof(*took)), sum = 0, most_cpu = 0;

	for (int k = 0; k < n; k++) {
		int is_long = (!strcmp(kind, "first") && !k) || (!strcmp(kind, "few") && k == 2 * n / 3);
		double start = omp_get_wtime(), cpu = cpu_time();

		if (!strcmp(kind, "grow")) {
#pragma omp parallel
			if (omp_get_thread_num() == 0)
				rest(200 + 100 * k);
		} else if (!strcmp(kind, "spread")) {
#pragma omp parallel
			if (omp_get_thread_num() == 0)
				rest(200 + 3800 * (k * 37 % n) / n);
		} else {
#pragma omp parallel for reduction(+ : sum)
			for (int i = 0; i < 2; i++)
				sum += burn(is_long ? 200000000 : 200000);
		}
		took[k] = omp_get_wtime() - start;
		cpu = cpu_time() - cpu;
		most_cpu = cpu > most_cpu ? cpu : most_cpu;
		if (k && took[k] > took[longest])
			longest = k;
	}
	if (!strcmp(kind, "grow")) {
		double early = 0, late = 0;

		for (int k = 0; k < 16; k++) {
			early += took[1 + k] / 16;
			late += took[n - 16 + k] / 16;
		}
		printf("%.6f %.6f\n", early, late);
		return 0;
	}
	printf("%.6f", took[0]);
	longest++;
	qsort(took + 1, (size_t)n - 1, sizeof(*took), after);
	printf(" %.6f %.6f %.6f %.6f %d %.6f\n", took[1], took[n / 2], took[n - 1 - (n - 1) / 20], took[n - 1], longest, most_cpu);
	return sum < 0;
}
