/*
 * Limits: many threads, entries, regions, levels, hosts: what the argument says.  Prints a number that proves the work.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ompp.h>

static long sum;

static void threads(int n)
{
#pragma omp parallel num_threads(n) reduction(+ : sum)
	{
		sum += 1;
#pragma omp barrier
#pragma omp critical
		sum += 1;
	}
}

static void entries(long n)
{
	long i;

	for (i = 0; i < n; i++)
#pragma omp critical
		sum++;
}

/* n call paths: 100 user regions below 100 below 100 … */
static void nodes(int n)
{
	static char names[100][8];
	int i, j, k, made = 0;

	for (i = 0; i < 100; i++)
		snprintf(names[i], sizeof(names[i]), "r%d", i);
	for (i = 0; i < 100 && made < n; i++) {
		ompp_region_begin(names[i]);
		made++;
		for (j = 0; j < 100 && made < n; j++) {
			ompp_region_begin(names[j]);
			made++;
			for (k = 0; k < 100 && made < n; k++) {
				ompp_region_begin(names[k]);
				made++;
				ompp_region_end(names[k]);
			}
			ompp_region_end(names[j]);
		}
		ompp_region_end(names[i]);
	}
	sum = made;
}

static void recurse(int depth)
{
#pragma pomp inst begin(level)
	sum++;
	if (depth > 1)
		recurse(depth - 1);
#pragma pomp inst end(level)
}

static pthread_barrier_t all_are_here;

/* All live at once: a thread that came after another's end would take over its place in the report. */
static void *host(void *arg)
{
	int i, k = 0;

	pthread_barrier_wait(&all_are_here);
	for (i = 0; i < 5; i++)
#pragma omp parallel num_threads(2) reduction(+ : k)
		k++;
	__atomic_fetch_add(&sum, k, __ATOMIC_RELAXED);
	pthread_barrier_wait(&all_are_here);
	return arg;
}

static void hosts(int n)
{
	pthread_t all[64];
	int i;

	pthread_barrier_init(&all_are_here, NULL, (unsigned int)n);
	for (i = 0; i < n; i++)
		pthread_create(&all[i], NULL, host, NULL);
	for (i = 0; i < n; i++)
		pthread_join(all[i], NULL);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long n = argc > 2 ? atol(argv[2]) : 1;

	if (!strcmp(what, "threads"))
		threads((int)n);
	else if (!strcmp(what, "entries"))
		entries(n);
	else if (!strcmp(what, "nodes"))
		nodes((int)n);
	else if (!strcmp(what, "recursion"))
		recurse((int)n);
	else if (!strcmp(what, "hosts"))
		hosts((int)n);
	printf("%ld\n", sum);
	return 0;
}
