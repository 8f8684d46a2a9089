/*
 * csr: sparse matrix-vector products in compressed rows, two threads; a band matrix with a far diagonal.
 */
#include "kernel.h"

enum { N = 700 * SCALE, MOST = 4 * N, PRODUCTS = 2 };

static double values[MOST], x[N], y[N];
static int columns[MOST];
static long rows[N + 1];

static long fill(void)
{
	long n = 0;
	int i, k;

	for (i = 0; i < N; i++) {
		rows[i] = n;
		for (k = -1; k <= 1; k++) {
			if (i + k >= 0 && i + k < N) {
				columns[n] = i + k;
				values[n++] = k ? -1 : 4;
			}
		}
		columns[n] = i * 31 % N;
		values[n++] = 0.5;
		x[i] = i % 10;
	}
	rows[N] = n;
	return n;
}

int main(void)
{
	double sum = 0;
	long n, k;
	int i, p;

#pragma pomp inst data(values)
#pragma pomp inst data(columns)
#pragma pomp inst data(rows)
#pragma pomp inst data(x)
#pragma pomp inst data(y)
	kernel_array("values", values, sizeof(values));
	kernel_array("columns", columns, sizeof(columns));
	kernel_array("rows", rows, sizeof(rows));
	kernel_array("x", x, sizeof(x));
	kernel_array("y", y, sizeof(y));
	n = fill();
	for (p = 0; p < PRODUCTS; p++) {
#pragma omp parallel for schedule(static) num_threads(2) private(k)
		for (i = 0; i < N; i++) {
			double s = 0;
			long end = rows[i + 1];

			for (k = rows[i]; k < end; k++)
				s += values[k] * x[columns[k]];
			y[i] = s;
		}
	}
	for (i = 0; i < N; i++)
		sum += y[i];
	kernel_sum(sum);
	kernel_expect("values", (uint64_t)(PRODUCTS * n), (uint64_t)n, 0);
	kernel_expect("columns", (uint64_t)(PRODUCTS * n), (uint64_t)n, 0);
	kernel_expect("rows", PRODUCTS * 2 * N, N + 1, 0);
	kernel_expect("x", (uint64_t)(PRODUCTS * n), N, 0);
	kernel_expect("y", N, PRODUCTS * N, 0);
	return 0;
}
