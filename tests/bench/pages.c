/* pages: kernels for tests/bench/pages.sh: what a trace of pages costs.  pages KERNEL MiB SECONDS; prints the CPU seconds
 * of one pass over the memory, or of as many random accesses as an array of doubles there has elements, and the most KiB
 * that were resident. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static double *a;

static void stream(size_t n)
{
#pragma omp parallel for
	for (size_t i = 0; i < n; i++)
		a[i] = a[i] * 0.5 + 1;
}

static void gather(size_t n)
{
	double sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (size_t i = 0; i < n; i++)
		sum += a[i * 0x9E3779B97F4A7C15u % n];
	a[0] = sum;
}

static double cpu(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

int main(int argc, char **argv)
{
	size_t n = argc > 3 ? (size_t)atol(argv[2]) << 17 : 0;
	double begin, seconds = argc > 3 ? atof(argv[3]) : 0;
	void (*kernel)(size_t) = argc > 3 && !strcmp(argv[1], "gather") ? gather : stream;
	struct rusage u;
	int passes = 0;

	a = calloc(n, sizeof(*a));
	if (!a || !n)
		return 2;
#pragma pomp inst data(a, n * sizeof(*a), "a")
	stream(n);
	begin = cpu();
	do {
		kernel(n);
		passes++;
	} while (cpu() - begin < seconds);
	seconds = (cpu() - begin) / passes;
	getrusage(RUSAGE_SELF, &u);
	printf("%.6f %ld\n", seconds, u.ru_maxrss);
	return 0;
}
