/*
 * parts: arrays that threads share in different ways.  Each is named after the class that the report must show, and has a
 * number where there are several.  All are filled by one thread first, in part by more stores than write-once allows.
 */
#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, ROWS = 200, COLUMNS = 100 };

static double *fill(void)
{
	double *a = malloc(N * sizeof(*a));

	for (int k = 0; a && k < 2; k++)
		for (int i = 0; i < N; i++)
			a[i] = k + i;
	return a;
}

static volatile double sink;

int main(void)
{
	double *own = fill(), *read = fill(), *halo = fill(), *rows = fill(), *cyclic = fill(), *all = fill();
	double *moved = fill(), *sums = fill(), *once = fill(), *gathered = fill();
	int i, j, k;

	if (!own || !read || !halo || !rows || !cyclic || !all || !moved || !sums || !once || !gathered)
		return 1;
#pragma pomp inst data(own, N * sizeof(*own), "partitioned")
#pragma pomp inst data(read, N * sizeof(*own), "partitioned 2")
#pragma pomp inst data(halo, N * sizeof(*own), "partitioned 3")
#pragma pomp inst data(rows, N * sizeof(*own), "parts-written")
#pragma pomp inst data(gathered, N * sizeof(*own), "parts-written 2")
#pragma pomp inst data(cyclic, N * sizeof(*own), "shared-written")
#pragma pomp inst data(all, N * sizeof(*own), "shared-written 2")
#pragma pomp inst data(moved, N * sizeof(*own), "shared-written 3")
#pragma pomp inst data(sums, 3 * sizeof(*own), "shared-written 4")
#pragma pomp inst data(once, N * sizeof(*own), "shared-read")
	for (k = 0; k < 2; k++)
		for (i = 0; i < N; i++)         /* serial: no part of anybody */
			own[i] = read[i] = once[i] = k;
	for (k = 0; k < 3; k++) {
#pragma omp parallel for schedule(static) num_threads(3)
		for (i = 0; i < N; i++) {
			own[i] += i;
			sink = read[i];
		}
		/* a neighbour's element is read, and a neighbour's row */
#pragma omp parallel for schedule(static) num_threads(3)
		for (i = 1; i < N - 1; i++)
			own[i] = halo[i - 1] + halo[i + 1];
#pragma omp parallel for schedule(static) num_threads(3)
		for (i = 1; i < N - 1; i++)
			halo[i] = own[i];
#pragma omp parallel for schedule(static) private(j) num_threads(3)
		for (i = 1; i < ROWS - 1; i++)
			for (j = 0; j < COLUMNS; j++)
				rows[i * COLUMNS + j] = rows[(i - 1) * COLUMNS + j] + 1;
#pragma omp parallel for schedule(static) num_threads(3)
		for (i = 0; i < N; i++)
			gathered[i] = i;
#pragma omp parallel for schedule(static) num_threads(3)
		for (i = 0; i < N; i++)
			sink = gathered[N - 1 - i];
#pragma omp parallel for schedule(static, 1) num_threads(3)
		for (i = 0; i < N; i++)
			cyclic[i] = i;
#pragma omp parallel private(i) num_threads(3)
		for (i = 0; i < N; i++)
#pragma omp critical
			all[i] += sink = once[i];
#pragma omp parallel for schedule(static) num_threads(3)
		for (i = 0; i < N; i++)
			moved[i] = i;
#pragma omp parallel for schedule(static) num_threads(3)
		for (i = 0; i < N; i++)
			moved[N - 1 - i] = i;
#pragma omp parallel for schedule(static) num_threads(3)
		for (i = 0; i < 3; i++)
			sums[i] += i;
	}
	printf("%g\n", own[5] + halo[7] + rows[300] + cyclic[5] + all[6] + moved[6] + gathered[3]);
	return 0;
}
