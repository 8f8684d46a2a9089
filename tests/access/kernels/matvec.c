/*
 * matvec: y = A x, by rows and by columns, two threads.
 */
#include "kernel.h"

enum { N = 60 * SIDE };

static double a[N * N], x[N], y[N];

static void product(size_t step_i, size_t step_j)
{
	size_t i, j;

#pragma omp parallel for schedule(static) num_threads(2) private(j)
	for (i = 0; i < N; i++) {
		y[i] = 0;
		for (j = 0; j < N; j++)
			y[i] += a[i * step_i + j * step_j] * x[j];
	}
}

int main(void)
{
	double sum = 0;
	size_t i;

#pragma pomp inst data(a)
#pragma pomp inst data(x, sizeof(x), "x")
#pragma pomp inst data(y, N * sizeof(y[0]), "y")
	kernel_array("a", a, sizeof(a));
	kernel_array("x", x, sizeof(x));
	kernel_array("y", y, sizeof(y));
	for (i = 0; i < N * N; i++)
		a[i] = (double)(i % 17);
	for (i = 0; i < N; i++)
		x[i] = (double)i;
	product(N, 1);
	product(1, N);
	for (i = 0; i < N; i++)
		sum += y[i];
	kernel_sum(sum);
	kernel_expect("a", 2 * N * N, N * N, 0);
	kernel_expect("x", 2 * N * N, N, 0);
	kernel_expect("y", 2 * N * N + N, 2 * (N + N * N), 0);
	return 0;
}
