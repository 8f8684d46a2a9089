/* blocks.c: pairs of malloc and free of small blocks by all threads; prints the ns that each takes, in elapsed time.
 * Usage: blocks PAIRS */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 10000000;
	struct timespec a, b;

	clock_gettime(CLOCK_MONOTONIC, &a);
#pragma omp parallel
	{
		void *ring[64] = { 0 };
#pragma omp for
		for (long i = 0; i < n; i++) {
			free(ring[i & 63]);
			ring[i & 63] = malloc((size_t)(16 + (i * 37 & 255)));
		}
		for (int i = 0; i < 64; i++)
			free(ring[i]);
	}
	clock_gettime(CLOCK_MONOTONIC, &b);
	printf("%.1f\n", (double)((b.tv_sec - a.tv_sec) * 1000000000L + b.tv_nsec - a.tv_nsec) / (double)n);
	return 0;
}
