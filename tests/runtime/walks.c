/*
 * Walks: named arrays that are walked in ways which a cache likes more or less, one a run, by two threads.
 * Usage: walks rows|columns|gather|fields|back|fours|halves|whole|turns|readers
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 256, ROUNDS = 4 };

struct body { double x, y, z, mass[13]; };      /* two lines of 64 bytes */

static double sum;

/* Side by side, or N × 8 bytes apart. */
static void walk(const double *a, int by_columns)
{
	double s = 0;

	for (int r = 0; r < ROUNDS; r++)
#pragma omp parallel for num_threads(2) reduction(+ : s)
		for (int i = 0; i < N; i++)
			for (int j = 0; j < N; j++)
				s += by_columns ? a[j * N + i] : a[i * N + j];
	sum += s;
}

/* Each element once a round, in no order. */
static void gather(const double *a)
{
	double s = 0;

	for (int r = 0; r < ROUNDS; r++)
#pragma omp parallel for num_threads(2) reduction(+ : s)
		for (unsigned int i = 0; i < N * N; i++)
			s += a[(i * 40503u + (i >> 5) * 30011u) % (N * N)];
	sum += s;
}

/* One field of each structure, two in either line, that of the second line first, or all of it. */
static void structures(const struct body *b, int whole, int back)
{
	double s = 0;

	for (int r = 0; r < ROUNDS; r++)
#pragma omp parallel for num_threads(2) reduction(+ : s)
		for (int i = 0; i < N * N / 16; i++) {
			if (back)
				s += b[i].mass[9];
			s += b[i].x;
			for (int k = 0; whole && k < 13; k++)
				s += b[i].mass[k];
			if (whole)
				s += b[i].y + b[i].z;
		}
	sum += s;
}

/* One of four fields, or one of two, of all structures. */
struct four { double x, y, z, w; };
struct two { double x, y; };

static void parts(const struct four *fours, const struct two *twos)
{
	double s = 0;

	for (int r = 0; r < ROUNDS; r++)
#pragma omp parallel for num_threads(2) reduction(+ : s)
		for (int i = 0; i < N * N / 4; i++)
			s += fours ? fours[i].x : twos[2 * i].y + twos[2 * i + 1].y;
	sum += s;
}

static volatile long mine[8], common[8];
static struct { volatile long n; char rest[120]; } padded[8] __attribute__((aligned(128)));

/* One after the other, so that each store but the first comes after the other thread's. */
static void turns(void)
{
#pragma omp inst data(mine)
#pragma omp inst data(padded)
#pragma omp inst data(common)
#pragma omp parallel num_threads(2)
	for (int i = 0; i < 2000; i++) {
#pragma omp for schedule(static, 1)
		for (int t = 0; t < 2; t++)
			if (t == i % 2) {
				mine[t] = i;
				padded[t].n = i;
				common[0] = i;
			}
	}
}

static struct { volatile long n, limit; } beside __attribute__((aligned(64))), together __attribute__((aligned(64)));
static struct { volatile long n; char rest[120]; volatile long limit; } apart __attribute__((aligned(64)));

/* One thread writes, and the other one reads then: beside what was written, that, too, and in another line. */
static void readers(void)
{
	long s = 0;

#pragma omp inst data(beside)
#pragma omp inst data(together)
#pragma omp inst data(apart)
#pragma omp parallel num_threads(2) reduction(+ : s)
	for (int i = 0; i < 2600; i++) {
#pragma omp for schedule(static, 1)
		for (int t = 0; t < 2; t++)
			if (t != i % 2) {
				continue;
			} else if (!t) {
				beside.n = i;
				together.n = i;
				apart.n = i;
			} else {
				s += beside.limit + together.limit + together.n + apart.limit;
			}
	}
	sum += s;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	double *a = malloc(sizeof(double) * N * N);

#pragma omp inst data(a, sizeof(double) * N * N, "a")
	for (int i = 0; i < N * N; i++)
		a[i] = i % 10;
	if (!strcmp(how, "rows") || !strcmp(how, "columns"))
		walk(a, !strcmp(how, "columns"));
	else if (!strcmp(how, "turns"))
		turns();
	else if (!strcmp(how, "readers"))
		readers();
	else if (!strcmp(how, "gather"))
		gather(a);
	else if (!strcmp(how, "fours") || !strcmp(how, "halves"))
		parts(*how == 'f' ? (const struct four *)(void *)a : NULL, (const struct two *)(void *)a);
	else
		structures((const struct body *)(void *)a, !strcmp(how, "whole"), !strcmp(how, "back"));
	printf("%g\n", sum);
	free(a);
	return 0;
}
