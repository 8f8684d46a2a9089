/*
 * mem_stores: which part of an array each thread stores to, by samples of the processor (ompp_mem.h).
 *
 *      cc -fopenmp mem_stores.c $(pkg-config --cflags --libs ompp-mem)
 *
 * It prints for each thread how many stores were sampled, and the lowest and the highest element among them.  Where the
 * machine has no such samples, it prints why, and ends with 0 as well.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ompp_mem.h"

enum { N = 1 << 22, MOST_THREADS = 256 };

static double a[N];

static void print_part(struct ompp_mem *mem, size_t thread)
{
	struct ompp_mem_sample s;
	size_t lowest = N, highest = 0, n = 0;

	for (size_t i = 0; ompp_mem_copy(mem, thread, i, &s, 1); i++) {
		size_t element = (s.address - (size_t)a) / sizeof(a[0]);

		if (element >= N)
			continue; /* it is outside of the array */
		lowest = element < lowest ? element : lowest;
		highest = element > highest ? element : highest;
		n++;
	}
	printf("thread %zu: %zu stores sampled", thread, n);
	if (n)
		printf(", elements %zu to %zu", lowest, highest);
	putchar('\n');
}

int main(void)
{
	static pid_t tids[MOST_THREADS];
	struct ompp_mem *mem;
	size_t n_threads = 0;

	if (ompp_mem_supported(OMPP_MEM_STORES)) {
		printf("no samples of stores: %s\n", ompp_mem_message());
		return 0;
	}
#pragma omp parallel num_threads(omp_get_max_threads() < MOST_THREADS ? omp_get_max_threads() : MOST_THREADS)
	{
		tids[omp_get_thread_num()] = gettid();
#pragma omp single
		n_threads = (size_t)omp_get_num_threads();
	}
	if (ompp_mem_new(&mem, tids, n_threads, NULL) || ompp_mem_start(mem, OMPP_MEM_STORES)) {
		printf("mem_stores: %s\n", ompp_mem_message());
		return 1;
	}
#pragma omp parallel for num_threads(n_threads)
	for (int i = 0; i < N; i++)
		a[i] = i;
	ompp_mem_stop(mem);
	for (size_t i = 0; i < n_threads; i++)
		print_part(mem, i);
	ompp_mem_free(mem);
	return 0;
}
