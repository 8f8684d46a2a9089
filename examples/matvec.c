/*
 * matvec: y = A x, the published case; run it as `matvec [n [column|row]]`, by default with 4000 and column.
 *
 * The report must show USER REGION product once, and below it PARALLEL and LOOP once for each thread, with nearly all of
 * the time in the body of LOOP.  The matrix is stored by columns, so that the inner loop walks along a row with a step
 * of n × 8 bytes; stored by rows, it is the same work in a fraction of the time.  The program prints what each thread
 * measured itself.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_THREADS = 64 };

int main(int argc, char **argv)
{
	size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 4000, i, j;
	int by_row = argc > 2 && !strcmp(argv[2], "row"), n_threads = 1, t;
	size_t step_i = by_row ? n : 1, step_j = by_row ? 1 : n;
	double *a = calloc(n * n, sizeof(*a)), *x = calloc(n, sizeof(*x)), *y = calloc(n, sizeof(*y)), sum = 0;
	static double loop[MAX_THREADS];

	if (!n || !a || !x || !y)
		return 1;
	for (i = 0; i < n * n; i++)
		a[i] = 1;
	for (i = 0; i < n; i++)
		x[i] = (double)i;

#pragma pomp inst begin(product)
#pragma omp parallel private(i, j)
	{
		double begin = omp_get_wtime();

#pragma omp for schedule(static)
		for (i = 0; i < n; i++) {
			for (j = 0; j < n; j++)
				y[i] += a[i * step_i + j * step_j] * x[j];
		}
		loop[omp_get_thread_num()] = omp_get_wtime() - begin;
#pragma omp master
		n_threads = omp_get_num_threads();
	}
#pragma pomp inst end(product)

	for (i = 0; i < n; i++)
		sum += y[i];
	printf("sum %.0f\n", sum);
	for (t = 0; t < n_threads; t++)
		printf("measured LOOP %d execT %.6f\n", t, loop[t]);
	free(a);
	free(x);
	free(y);
	return 0;
}
