/*
 * stencil: the mean of five neighbours, float, three sweeps to and fro, two threads.
 */
#include "kernel.h"

enum { N = 40 * SIDE, SWEEPS = 2, INNER = (N - 2) * (N - 2) };

static float from[N][N], to[N][N];

static void sweep(float (*in)[N], float (*out)[N])
{
	size_t i, j;

#pragma omp parallel for schedule(static) num_threads(2) private(j)
	for (i = 1; i < N - 1; i++) {
		for (j = 1; j < N - 1; j++)
			out[i][j] = (in[i][j] + in[i - 1][j] + in[i + 1][j] + in[i][j - 1] + in[i][j + 1]) / 5;
	}
}

int main(void)
{
	double sum = 0;
	size_t i, j, k;

#pragma pomp inst data(from)
#pragma pomp inst data(to)
	kernel_array("from", from, sizeof(from));
	kernel_array("to", to, sizeof(to));
	for (i = 0; i < N; i++) {
		for (j = 0; j < N; j++) {
			from[i][j] = (float)(i * j % 64);
			to[i][j] = 0;
		}
	}
	for (k = 0; k < SWEEPS; k++) {
		sweep(from, to);
		sweep(to, from);
	}
	for (i = 0; i < N; i++)
		sum += from[i][i];
	kernel_sum(sum);
	kernel_expect("from", SWEEPS * 5 * INNER + N, N * N + SWEEPS * INNER, 0);
	kernel_expect("to", SWEEPS * 5 * INNER, N * N + SWEEPS * INNER, 0);
	return 0;
}
