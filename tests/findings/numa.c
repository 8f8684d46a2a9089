/*
 * A program for a machine of several NUMA nodes, with one thread on each, and one problem of memory, which is the
 * macro's that is defined; with MENDED, too, it does the same without.  A page is
 * accessed once in each round.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { PAGES = 40, ROUNDS = 6, EACH = 512 /* elements of a page */ };
#ifndef FAR
#define FAR PAGES /* pages of a part that are elsewhere */
#endif
static volatile double *a;
static long n, n_threads; /* pages; of one node each */

/* Returns which thread writes page i first: thread 0, the one that uses it, or its neighbour. */
static long first_of(long i)
{
#if defined(OTHER) && defined(MENDED)
	return i < 0 ? 0 : 2;
#elif defined(MENDED) || defined(MOVING)
	return i / PAGES;
#elif defined(PARTS)
	return (i / PAGES + (i % PAGES < FAR)) % n_threads;
#else
	return i % PAGES < FAR ? 0 : i / PAGES;
#endif
}

static void init(void)
{
#pragma omp parallel
	for (long i = 0; i < n; i++)
		if (omp_get_thread_num() == first_of(i))
			a[i * EACH] = 1;
}

static void use(int round)
{
	(void)round;
#if defined(OTHER) /* one thread uses what another one wrote first */
#pragma omp parallel /* planted */
	if (omp_get_thread_num() == 2)
		for (long i = 0; i < n; i++)
			a[i * EACH] += 1;
#elif defined(ONE_PAGE) /* all threads use one page; mended: each has one of its own */
#pragma omp parallel /* planted */
	for (long i = 0; i < 2400; i++)
#ifdef MENDED
		a[omp_get_thread_num() * PAGES * EACH] += 1;
#else
		a[omp_get_thread_num() * 8] += 1;
#endif
#else
#pragma omp parallel /* planted */
	{
		long t = omp_get_thread_num();

#if defined(MOVING) && !defined(MENDED)
		cpu_set_t set;

		CPU_ZERO(&set);
		CPU_SET((t + round + 1) % n_threads, &set);
		sched_setaffinity(0, sizeof(set), &set);
#endif
		for (long i = t * PAGES; i < (t + 1) * PAGES; i++)
			a[i * EACH] += 1;
	}
#endif
}

int main(void)
{
	n_threads = omp_get_max_threads();
#if defined(ONE_PAGE) && !defined(MENDED)
	n = 1;
#else
	n = n_threads * PAGES;
#endif
	a = aligned_alloc(4096, (size_t)n * EACH * sizeof(*a));
	if (!a)
		return 1;
	init();
	for (int round = 0; round < ROUNDS; round++)
		use(round);
	printf("%g\n", a[0]);
	free((void *)a);
}
