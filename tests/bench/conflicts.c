/* conflicts: threads store N times each to a struct of their own; all structs lie side by side, or STRIDE bytes apart.
 * Usage: conflicts N STRIDE */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

struct part {
	double sum;
	long n;
};

__attribute__((noinline)) static void add(struct part *p, double x)
{
	p->sum += x;
	p->n++;
}

__attribute__((noinline)) static void work(char *all, size_t stride, long n)
{
#pragma omp parallel
	{
		struct part *mine = (struct part *)(void *)(all + (size_t)omp_get_thread_num() * stride);

		for (long i = 0; i < n; i++)
			add(mine, (double)i);
	}
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1000000;
	size_t stride = argc > 2 ? (size_t)atol(argv[2]) : sizeof(struct part), n_threads = (size_t)omp_get_max_threads();
	char *all = calloc(n_threads, stride);
	double sum = 0;

	if (!all)
		return 1;
	work(all, stride, n);
	for (size_t i = 0; i < n_threads; i++)
		sum += ((struct part *)(void *)(all + i * stride))->sum;
	printf("%g\n", sum);
}
