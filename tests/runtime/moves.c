/*
 * Blocks that move: names follow realloc, reallocarray and mremap.  Stores into each name are counted by hand in
 * moves.sh.  With an argument the program also moves blocks that cannot be had.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <ompp.h>

#define NOINLINE __attribute__((noinline))

static NOINLINE void fill(volatile double *a, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		a[i] = (double)i;
}

/* All of a block, and what is named of it only in part. */
static void grow(size_t n, size_t n_new, const char *whole)
{
	double *a = malloc(n * sizeof(*a));

	ompp_data_begin(a, n * sizeof(*a), whole);
	ompp_data_begin(a, n / 2 * sizeof(*a), "half");
	ompp_data_begin(a + n / 2, n / 4 * sizeof(*a), "quarter");
	a = realloc(a, n_new * sizeof(*a));
	fill(a, 0, n_new);
	free(a);
}

static void by_array(void)
{
	double *a = reallocarray(NULL, 100, sizeof(*a));

#pragma omp inst data(a, 100 * sizeof(*a), "array")
	a = reallocarray(a, 5000, sizeof(*a));
	fill(a, 0, 5000);
	free(a);
}

/* A mapping whose size is no whole number of pages; the neighbour keeps it from growing where it is. */
static void map(void)
{
	size_t n = 10000;
	char *room = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *old;
	volatile double *a = (double *)(void *)room;

#pragma omp inst data(a, n, "mapping")
	old = mremap(room, n, 50000, MREMAP_MAYMOVE);
	a = (double *)(void *)old;
	fill(a, 0, 50000 / sizeof(*a));
#pragma omp inst data end("mapping")
	munmap(old, 50000);
}

static void shrink(void)
{
	double *a = malloc(100000 * sizeof(*a));

	ompp_data_begin(a, 100000 * sizeof(*a), "shrunk");
	a = realloc(a, 10 * sizeof(*a));
	fill(a, 0, 10);
	a = realloc(a, 300 * sizeof(*a));
	fill(a, 0, 300);
	free(a);
}

static void refused(volatile size_t too_much)
{
	double *a = malloc(1000 * sizeof(*a));

	ompp_data_begin(a, 500 * sizeof(*a), "refused");
	ompp_data_begin(a, 1000 * sizeof(*a), "kept");
	if (realloc(a, too_much) || reallocarray(a, too_much, 16))
		exit(1);
	fill(a, 0, 1000);
	free(a);
}

int main(int n, char **arguments)
{
	(void)arguments;
	grow(500, 100000, "large");
	grow(16, 1000, "small");
	grow(100000, 400000, "mapped");
	by_array();
	map();
	shrink();
	if (n > 1)
		refused(PTRDIFF_MAX);
	return 0;
}
