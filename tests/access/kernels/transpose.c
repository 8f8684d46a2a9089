/*
 * transpose: plain, in blocks, and in place; two threads.
 */
#include "kernel.h"

enum { N = 48 * SIDE, BLOCK = 16 };

static long from[N * N], to[N * N];

static void plain(void)
{
	size_t i, j;

#pragma omp parallel for schedule(static) num_threads(2) private(j)
	for (i = 0; i < N; i++) {
		for (j = 0; j < N; j++)
			to[j * N + i] = from[i * N + j];
	}
}

static void in_blocks(void)
{
	size_t bi, bj, i, j;

#pragma omp parallel for schedule(static) num_threads(2) private(bj, i, j)
	for (bi = 0; bi < N; bi += BLOCK) {
		for (bj = 0; bj < N; bj += BLOCK) {
			for (i = bi; i < bi + BLOCK; i++) {
				for (j = bj; j < bj + BLOCK; j++)
					to[j * N + i] += from[i * N + j];
			}
		}
	}
}

static void in_place(void)
{
	size_t i, j;

	for (i = 0; i < N; i++) {
		for (j = i + 1; j < N; j++) {
			long upper = to[i * N + j], lower = to[j * N + i];

			to[i * N + j] = lower;
			to[j * N + i] = upper;
		}
	}
}

int main(void)
{
	double sum = 0;
	size_t i;

#pragma pomp inst data(from)
#pragma pomp inst data(to)
	kernel_array("from", from, sizeof(from));
	kernel_array("to", to, sizeof(to));
	for (i = 0; i < N * N; i++)
		from[i] = (long)(i * i % 1013);
	plain();
	in_blocks();
	in_place();
	for (i = 0; i < N * N; i++)
		sum += (double)to[i] * (double)(i % 3);
	kernel_sum(sum);
	kernel_expect("from", 2 * N * N, N * N, 0);
	kernel_expect("to", N * N + N * (N - 1) + N * N, 2 * N * N + N * (N - 1), 0);
	return 0;
}
