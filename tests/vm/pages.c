/* pages: threads that work on the same pages in pairs: t with t + 2 ("far"), or with the other one of t / 2 ("near"). */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGES = 32, BYTES = 4096, ROUNDS = 20 };

static long a[2][PAGES * BYTES / sizeof(long)] __attribute__((aligned(BYTES)));

int main(int argc, char **argv)
{
	int far = argc > 1 && !strcmp(argv[1], "far");

#pragma omp inst data(a, sizeof(a), "a")
#pragma omp parallel num_threads(4)
	for (int round = 0; round < ROUNDS; round++) {
		int t = omp_get_thread_num();
		long *mine = a[far ? t % 2 : t / 2];

		for (size_t i = 0; i < PAGES * BYTES / sizeof(long); i++)
#pragma omp atomic
			mine[i] += t;
#pragma omp barrier
	}
	return a[0][0] < 0;
}
