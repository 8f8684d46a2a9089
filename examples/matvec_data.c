/*
 * matvec_data: y = A x with its arrays named; run it as `matvec_data [n [column|row]]`, by default with 4000 and column.
 *
 * The report must show that each thread loads `a` exactly n × n / threads times, in either order, and stores nothing to
 * it; other accesses are not in that number.  With OMPP_CACHE=L3=1M/16/64 the modelled misses of `a` by columns are
 * about eight times those by rows, as each line of 64 bytes holds eight elements.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 4000, i, j;
	int by_row = argc > 2 && !strcmp(argv[2], "row");
	size_t step_i = by_row ? n : 1, step_j = by_row ? 1 : n;
	double *a = malloc(n * n * sizeof(*a)), *x = malloc(n * sizeof(*x)), *y = malloc(n * sizeof(*y)), sum = 0;

	if (!n || !a || !x || !y)
		return 1;
	for (i = 0; i < n * n; i++)
		a[i] = 1;
	for (i = 0; i < n; i++)
		x[i] = (double)i;

#pragma pomp inst data(a, n * n * sizeof(*a), "a")
#pragma pomp inst data(x, n * sizeof(*x), "x")
#pragma pomp inst data(y, n * sizeof(*y), "y")
#pragma omp parallel for schedule(static) private(j)
	for (i = 0; i < n; i++) {
		double s = 0;

		for (j = 0; j < n; j++)
			s += a[i * step_i + j * step_j] * x[j];
		y[i] = s;
	}

	for (i = 0; i < n; i++)
		sum += y[i];
	printf("sum %.0f\n", sum);
	free(a);
	free(x);
	free(y);
	return 0;
}
