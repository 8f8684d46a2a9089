/*
 * npb_cg: the smallest eigenvalue of a large sparse matrix, by inverse iteration with conjugate gradients, as NPB's CG
 * has it (class W: 7,000 rows of some 70 numbers; 30 × 25 steps here).  Prints the seconds; exits with 1 when the
 * result is wrong.
 *
 * The matrix is LEAST times the unit matrix, and the Laplacian of a random graph.  So its smallest eigenvalue is LEAST,
 * whose eigenvector is constant.
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 7000, EACH = 35, EDGES = N * EACH, MOST = N + 2 * EDGES, OUTER = 30, INNER = 25 };

static const double LEAST = 10;

static double a[MOST], x[N], z[N], p[N], q[N], r[N];
static int columns[MOST], rows[N + 1];
static int from[EDGES], to[EDGES], filled[N];
static double weights[EDGES];

/* 0 … 1 */
static double chance(void)
{
	static unsigned long state = 314159265;

	state = state * 6364136223846793005ul + 1442695040888963407ul;
	return (double)(state >> 33) / (double)(1ul << 31);
}

static void make_matrix(void)
{
	int i, k;

	for (k = 0; k < EDGES; k++) {
		from[k] = k / EACH;
		to[k] = (from[k] + 1 + (int)(chance() * (N - 1))) % N;
		weights[k] = chance();
		rows[from[k] + 1]++;
		rows[to[k] + 1]++;
	}
	/* the first of a row is on the diagonal */
	for (i = 0; i < N; i++) {
		rows[i + 1] += rows[i] + 1;
		columns[rows[i]] = i;
		a[rows[i]] = LEAST;
		filled[i] = rows[i] + 1;
	}
	for (k = 0; k < EDGES; k++) {
		int i_of = from[k], j_of = to[k];

		a[rows[i_of]] += weights[k];
		a[rows[j_of]] += weights[k];
		columns[filled[i_of]] = j_of;
		a[filled[i_of]++] = -weights[k];
		columns[filled[j_of]] = i_of;
		a[filled[j_of]++] = -weights[k];
	}
}

/* Solves A z = x.  Returns the length of x − A z. */
static double solve(void)
{
	double rho = 0, before, d, alpha, beta, sum = 0;
	int j, k, step;

#pragma omp parallel for schedule(static) reduction(+ : rho)
	for (j = 0; j < N; j++) {
		z[j] = 0;
		r[j] = p[j] = x[j];
		rho += r[j] * r[j];
	}
	for (step = 0; step < INNER; step++) {
		d = 0;
#pragma omp parallel for schedule(static) private(k) reduction(+ : d)
		for (j = 0; j < N; j++) {
			double s = 0;

			for (k = rows[j]; k < rows[j + 1]; k++)
				s += a[k] * p[columns[k]];
			q[j] = s;
			d += p[j] * s;
		}
		alpha = rho / d;
		before = rho;
		rho = 0;
#pragma omp parallel for schedule(static) reduction(+ : rho)
		for (j = 0; j < N; j++) {
			z[j] += alpha * p[j];
			r[j] -= alpha * q[j];
			rho += r[j] * r[j];
		}
		beta = rho / before;
#pragma omp parallel for schedule(static)
		for (j = 0; j < N; j++)
			p[j] = r[j] + beta * p[j];
	}
#pragma omp parallel for schedule(static) private(k) reduction(+ : sum)
	for (j = 0; j < N; j++) {
		double s = x[j];

		for (k = rows[j]; k < rows[j + 1]; k++)
			s -= a[k] * z[columns[k]];
		sum += s * s;
	}
	return sqrt(sum);
}

int main(void)
{
	double begin, least = 0, along, length, residual = 0;
	int i, j;

#pragma pomp inst data(a)
#pragma pomp inst data(columns)
#pragma pomp inst data(rows)
#pragma pomp inst data(x)
#pragma pomp inst data(z)
#pragma pomp inst data(p)
#pragma pomp inst data(q)
#pragma pomp inst data(r)
	make_matrix();
	length = 0;
	for (j = 0; j < N; j++) {
		x[j] = chance();
		length += x[j] * x[j];
	}
	for (j = 0; j < N; j++)
		x[j] /= sqrt(length);
	begin = omp_get_wtime();
	for (i = 0; i < OUTER; i++) {
		residual = solve();
		along = length = 0;
#pragma omp parallel for schedule(static) reduction(+ : along, length)
		for (j = 0; j < N; j++) {
			along += x[j] * z[j];
			length += z[j] * z[j];
		}
		least = 1 / along;
		length = 1 / sqrt(length);
#pragma omp parallel for schedule(static)
		for (j = 0; j < N; j++)
			x[j] = length * z[j];
	}
	printf("%.6f\n", omp_get_wtime() - begin);
	return !(fabs(least - LEAST) < 1e-9 && residual < 1e-9);
}
