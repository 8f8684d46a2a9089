/* kernels: what is known of each by its formula (tests/roofline/formulas.py).  A row of LINE elements has an odd
 * number of lines, so that columns use all sets of a cache. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 65536 /* elements of vectors */
#endif
enum { VISITS = 3, D = 224, LINE = D + 8, BLOCK = 16, M = 512, C = 64, GRID = 128, ROWS = GRID * GRID };

static double a[N] __attribute__((aligned(64))), b[N] __attribute__((aligned(64))), c[N] __attribute__((aligned(64)));
static double x[D][LINE] __attribute__((aligned(64))), y[D][LINE] __attribute__((aligned(64))), z[D][LINE] __attribute__((aligned(64)));
static double u[M][M] __attribute__((aligned(64))), v[M][M] __attribute__((aligned(64)));
static double p[C][C][C] __attribute__((aligned(64))), q[C][C][C] __attribute__((aligned(64)));
static float f[N] __attribute__((aligned(64)));

static void stream(void)
{
#pragma omp parallel for /* copy */
	for (int i = 0; i < N; i++)
		c[i] = a[i];
#pragma omp parallel for /* scale */
	for (int i = 0; i < N; i++)
		b[i] = 3 * c[i];
#pragma omp parallel for /* add */
	for (int i = 0; i < N; i++)
		c[i] = a[i] + b[i];
#pragma omp parallel for /* triad */
	for (int i = 0; i < N; i++)
		a[i] = b[i] + 3 * c[i];
}

static volatile int block_size = BLOCK;

static void dgemm(void)
{
#pragma omp parallel for /* naive */
	for (int i = 0; i < D; i++)
		for (int j = 0; j < D; j++) {
			double sum = 0;
			for (int k = 0; k < D; k++)
				sum += x[i][k] * y[k][j];
			z[i][j] = sum;
		}
	const int block = block_size; /* no constant: the loops stay as they are */
#pragma omp parallel for /* blocked */
	for (int ii = 0; ii < D; ii += block)
		for (int jj = 0; jj < D; jj += block)
			for (int kk = 0; kk < D; kk += block)
				for (int i = ii; i < ii + block; i++)
					for (int j = jj; j < jj + block; j++) {
						double sum = z[i][j];
						for (int k = kk; k < kk + block; k++)
							sum += x[i][k] * y[k][j];
						z[i][j] = sum;
					}
}

static void stencils(void)
{
#pragma omp parallel for /* stencil5 */
	for (int i = 1; i < M - 1; i++)
		for (int j = 1; j < M - 1; j++)
			v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
#pragma omp parallel for /* stencil7 */
	for (int i = 1; i < C - 1; i++)
		for (int j = 1; j < C - 1; j++)
			for (int k = 1; k < C - 1; k++)
				q[i][j][k] = 0.5 * p[i][j][k] + 0.1 * (p[i - 1][j][k] + p[i + 1][j][k] + p[i][j - 1][k] +
				                                       p[i][j + 1][k] + p[i][j][k - 1] + p[i][j][k + 1]);
}

/* A conjugate gradient for the Laplacian of a grid, as rows of (column, value). */
static double value[5 * ROWS], r[ROWS], d[ROWS], w[ROWS], solution[ROWS];
static int column[5 * ROWS], first[ROWS + 1];

static void grid_matrix(void)
{
	int n = 0;

	for (int i = 0; i < ROWS; i++) {
		int at[] = { i - GRID, i - 1, i, i + 1, i + GRID };
		first[i] = n;
		for (int k = 0; k < 5; k++) {
			if (at[k] < 0 || at[k] >= ROWS || (k == 1 && i % GRID == 0) || (k == 3 && i % GRID == GRID - 1))
				continue;
			column[n] = at[k];
			value[n++] = k == 2 ? 4 : -1;
		}
	}
	first[ROWS] = n;
}

static double dot(const double *s, const double *t)
{
	double sum = 0;
#pragma omp parallel for reduction(+ : sum) /* dot */
	for (int i = 0; i < ROWS; i++)
		sum += s[i] * t[i];
	return sum;
}

static void gradient(void)
{
	double rho = dot(r, r);

	for (int step = 0; step < 2 * VISITS; step++) {
#pragma omp parallel for /* spmv */
		for (int i = 0; i < ROWS; i++) {
			double sum = 0;
			for (int k = first[i]; k < first[i + 1]; k++)
				sum += value[k] * d[column[k]];
			w[i] = sum;
		}
		double alpha = rho / dot(d, w), old = rho;
#pragma omp parallel for firstprivate(alpha) /* axpy */
		for (int i = 0; i < ROWS; i++)
			solution[i] += alpha * d[i];
#pragma omp parallel for firstprivate(alpha) /* axpy */
		for (int i = 0; i < ROWS; i++)
			r[i] -= alpha * w[i];
		rho = dot(r, r);
		double beta = rho / old;
#pragma omp parallel for firstprivate(beta) /* aypx */
		for (int i = 0; i < ROWS; i++)
			d[i] = r[i] + beta * d[i];
	}
}

int main(void)
{
#pragma pomp inst data(a, sizeof a, "a")
#pragma pomp inst data(b, sizeof b, "b")
#pragma pomp inst data(c, sizeof c, "c")
#pragma pomp inst data(f, sizeof f, "f")
#pragma pomp inst data(w, sizeof w, "w")
#pragma pomp inst data(d, sizeof d, "d")
#pragma pomp inst data(v, sizeof v, "v")
#pragma pomp inst data(q, sizeof q, "q")
	for (int i = 0; i < N; i++)
		a[i] = i % 7, f[i] = 1 + i % 3;
	for (int i = 0; i < D * LINE; i++)
		(&x[0][0])[i] = i % 5, (&y[0][0])[i] = i % 3;
	for (int i = 0; i < ROWS; i++)
		r[i] = d[i] = i % 11;
	for (int i = 0; i < M * M; i++)
		(&u[0][0])[i] = i % 13;
	for (int i = 0; i < C * C * C; i++)
		(&p[0][0][0])[i] = i % 17;
	grid_matrix();
	for (int visit = 0; visit < VISITS; visit++) {
		stream();
		dgemm();
		stencils();
#pragma omp parallel for /* reciprocals */
		for (int i = 0; i < N; i++)
			f[i] = 1.5f / f[i];
	}
	gradient();
	printf("%g %g %g %g %g\n", a[5], z[3][4], v[7][8], q[3][3][3], solution[100]);
	return 0;
}
