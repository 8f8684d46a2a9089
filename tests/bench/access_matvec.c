/*
 * access_matvec: y = A x with three named arrays, the case whose speed under access hooks is promised; run as
 * `access_matvec row|column [products]` (5).  Prints the median of the products' wall times, in seconds.
 *
 * The same source makes all builds: without libompp nothing is named.  The arrays are file-scope ones, so that a
 * compiler keeps y(i) in a register: n × n loads each of a and x are what is counted.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/ompp.h"

#ifndef N
#define N 6000
#endif

#pragma weak ompp_data_begin

enum { MAX_PRODUCTS = 101 };

static double a[(size_t)N * N], x[N], y[N];

static void by_row(void)
{
	size_t i, j;

#pragma omp parallel for schedule(static) private(j)
	for (i = 0; i < N; i++) {
		y[i] = 0;
		for (j = 0; j < N; j++)
			y[i] += a[i * N + j] * x[j];
	}
}

static void by_column(void)
{
	size_t i, j;

#pragma omp parallel for schedule(static) private(j)
	for (i = 0; i < N; i++) {
		y[i] = 0;
		for (j = 0; j < N; j++)
			y[i] += a[j * N + i] * x[j];
	}
}

static int compare(const void *p, const void *q)
{
	double v = *(const double *)p, w = *(const double *)q;

	return (v > w) - (v < w);
}

int main(int argc, char **argv)
{
	int row = argc > 1 && !strcmp(argv[1], "row"), n_products = argc > 2 ? atoi(argv[2]) : 5, k;
	double times[MAX_PRODUCTS], sum = 0;
	size_t i;

	if (n_products < 1 || n_products > MAX_PRODUCTS)
		return 1;
	for (i = 0; i < (size_t)N * N; i++)
		a[i] = 1;
	for (i = 0; i < N; i++)
		x[i] = 1;
	if (ompp_data_begin) {
		ompp_data_begin(a, sizeof(a), "a");
		ompp_data_begin(x, sizeof(x), "x");
		ompp_data_begin(y, sizeof(y), "y");
	}
	for (k = 0; k < n_products; k++) {
		double begin = omp_get_wtime();

		if (row)
			by_row();
		else
			by_column();
		times[k] = omp_get_wtime() - begin;
	}
	for (i = 0; i < N; i++)
		sum += y[i];
	if (sum != (double)N * N)
		return 1;
	qsort(times, (size_t)n_products, sizeof(*times), compare);
	printf("%.6f\n", times[n_products / 2]);
	return 0;
}
