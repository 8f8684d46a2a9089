/*
 * npb_mg: Poisson's equation in three dimensions by V-cycles of a multigrid, as NPB's MG has it (128³ points).  Prints
 * the seconds; exits with 1 when the result is wrong.
 *
 * The right side is a product of sines, which is an eigenvector of the discrete operator too, so the discrete solution
 * is known: the same product divided by the eigenvalue.
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEVELS = 7, SIDE = 1 << LEVELS, CYCLES = 7 };

static const double PI = 3.14159265358979323846;

/* A cube of (n + 1)³ points for each level, n = 2 … SIDE; the outermost points are 0. */
static double *u[LEVELS + 1], *f[LEVELS + 1], *r[LEVELS + 1];

#define AT(k, j, i) (((long)(k) * (n + 1) + (j)) * (n + 1) + (i))

/* The difference between f and the operator on u; the square of the grid's step is in f. */
static void residual(int level)
{
	const double *v = u[level], *g = f[level];
	double *to = r[level];
	int n = 1 << level, i, j, k;

#pragma omp parallel for schedule(static) private(i, j)
	for (k = 1; k < n; k++) {
		for (j = 1; j < n; j++) {
			for (i = 1; i < n; i++)
				to[AT(k, j, i)] = g[AT(k, j, i)] - 6 * v[AT(k, j, i)] + v[AT(k, j, i - 1)] +
				                  v[AT(k, j, i + 1)] + v[AT(k, j - 1, i)] + v[AT(k, j + 1, i)] +
				                  v[AT(k - 1, j, i)] + v[AT(k + 1, j, i)];
		}
	}
}

/* A step of Jacobi's iteration, by the weight that damps the short waves best. */
static void smooth(int level)
{
	double *v = u[level];
	const double *d = r[level];
	int n = 1 << level, i, j, k;

	residual(level);
#pragma omp parallel for schedule(static) private(i, j)
	for (k = 1; k < n; k++) {
		for (j = 1; j < n; j++) {
			for (i = 1; i < n; i++)
				v[AT(k, j, i)] += d[AT(k, j, i)] * (6.0 / 7 / 6);
		}
	}
}

/* The next coarser level's right side: the residual's mean over 27 points, times 4, as the step is twice as long. */
static void restricted(int level)
{
	const double *d = r[level];
	double *to = f[level - 1], *v = u[level - 1];
	int n = 1 << level, half = n / 2, i, j, k;

#pragma omp parallel for schedule(static) private(i, j)
	for (k = 1; k < half; k++) {
		double edges[SIDE + 1], sides[SIDE + 1];

		for (j = 1; j < half; j++) {
			int kk = 2 * k, jj = 2 * j;

			/* along the rows: what stands beside the middle row, and across from it */
			for (i = 1; i < n; i++) {
				sides[i] = d[AT(kk, jj - 1, i)] + d[AT(kk, jj + 1, i)] + d[AT(kk - 1, jj, i)] +
				           d[AT(kk + 1, jj, i)];
				edges[i] = d[AT(kk - 1, jj - 1, i)] + d[AT(kk - 1, jj + 1, i)] +
				           d[AT(kk + 1, jj - 1, i)] + d[AT(kk + 1, jj + 1, i)];
			}
			for (i = 1; i < half; i++) {
				long coarse = ((long)k * (half + 1) + j) * (half + 1) + i;
				int ii = 2 * i;

				to[coarse] = 4 * (d[AT(kk, jj, ii)] / 8 +
				                  (d[AT(kk, jj, ii - 1)] + d[AT(kk, jj, ii + 1)] + sides[ii]) / 16 +
				                  (sides[ii - 1] + sides[ii + 1] + edges[ii]) / 32 +
				                  (edges[ii - 1] + edges[ii + 1]) / 64);
				v[coarse] = 0;
			}
		}
	}
}

/* Adds the coarser level's solution, linear between its points. */
static void prolong(int level)
{
	const double *from = u[level - 1];
	double *v = u[level];
	int n = 1 << level, half = n / 2, i, j, k;
	long row = half + 1, plane = row * row;

#pragma omp parallel for schedule(static) private(i, j)
	for (k = 1; k < n; k++) {
		for (j = 1; j < n; j++) {
			/* the four rows around this one, two or four of which may be the same */
			const double *a = from + k / 2 * plane + j / 2 * row,
				     *b = from + k / 2 * plane + (j + 1) / 2 * row;
			const double *c = from + (k + 1) / 2 * plane + j / 2 * row;
			const double *d = from + (k + 1) / 2 * plane + (j + 1) / 2 * row;

			for (i = 1; i < half; i++)
				v[AT(k, j, 2 * i)] += (a[i] + b[i] + c[i] + d[i]) / 4;
			for (i = 0; i < half; i++)
				v[AT(k, j, 2 * i + 1)] += (a[i] + b[i] + c[i] + d[i] + a[i + 1] + b[i + 1] + c[i + 1] +
				                           d[i + 1]) /
				                          8;
		}
	}
}

static void cycle(int level)
{
	if (level == 1) {
		/* one point: 6 u = f */
		u[1][13] = f[1][13] / 6;
		return;
	}
	smooth(level);
	smooth(level);
	residual(level);
	restricted(level);
	cycle(level - 1);
	prolong(level);
	smooth(level);
}

int main(void)
{
	const double step = 1.0 / SIDE, eigenvalue = 3 * (2 - 2 * cos(PI * step));
	double begin, error = 0, most = 0;
	int level, n, i, j, k;

	for (level = 1; level <= LEVELS; level++) {
		size_t n_points = ((size_t)1 << level) + 1;

		n_points *= n_points * n_points;
		u[level] = calloc(n_points, sizeof(double));
		f[level] = calloc(n_points, sizeof(double));
		r[level] = calloc(n_points, sizeof(double));
		if (!u[level] || !f[level] || !r[level])
			return 1;
	}
	n = SIDE;
#pragma pomp inst data(u[LEVELS], (size_t)(n + 1) * (n + 1) * (n + 1) * 8, "u")
#pragma pomp inst data(f[LEVELS], (size_t)(n + 1) * (n + 1) * (n + 1) * 8, "f")
#pragma pomp inst data(r[LEVELS], (size_t)(n + 1) * (n + 1) * (n + 1) * 8, "r")
	for (k = 1; k < n; k++) {
		for (j = 1; j < n; j++) {
			for (i = 1; i < n; i++)
				f[LEVELS][AT(k, j, i)] = sin(PI * i * step) * sin(PI * j * step) * sin(PI * k * step);
		}
	}
	begin = omp_get_wtime();
	for (i = 0; i < CYCLES; i++)
		cycle(LEVELS);
	begin = omp_get_wtime() - begin;
	for (k = 1; k < n; k++) {
		for (j = 1; j < n; j++) {
			for (i = 1; i < n; i++) {
				double expected = f[LEVELS][AT(k, j, i)] / eigenvalue,
				       d = fabs(u[LEVELS][AT(k, j, i)] - expected);

				error = d > error ? d : error;
				most = expected > most ? expected : most;
			}
		}
	}
	printf("%.6f\n", begin);
	/* each of the three smoothings of a cycle leaves 5/7 of the short waves, and the coarser levels do the rest */
	return !(error < pow(5.0 / 7, 3 * CYCLES) * most);
}
