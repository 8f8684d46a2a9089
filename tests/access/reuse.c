/*
 * Kernels whose reuse is measured, each in a region of its own.  With -DEXACT the program itself finds the distances, by
 * a tree of the times at which each line was used last, and prints, by kernel and array:
 *
 *   KERNEL ARRAY accesses first-accesses, and for each size of cache from 16 KiB on, by powers of two, the misses at
 *   4/5 of the size, at the size, and at 5/4 of it, without first accesses
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 200, LONG = 90000, PLACES = 20000, MOST_TIMES = 1 << 25, SIZES = 11, ARRAYS = 6, KERNELS = 16 };

struct place {
	double x, y, z;
	uint32_t next;
	char    pad[36];
};

double a[LONG] __attribute__((aligned(4096))), b[LONG] __attribute__((aligned(4096)));
double m[N][N] __attribute__((aligned(4096))), q[N][N] __attribute__((aligned(4096)));
double r[N][N] __attribute__((aligned(4096)));
struct place p[PLACES] __attribute__((aligned(4096)));
static uint32_t kernel;

#ifdef EXACT
#define MOST_LINES 200000
static const char *const array_names[ARRAYS] = { "a", "b", "m", "q", "r", "p" };
static char   *const bases[ARRAYS] = { (char *)a, (char *)b, (char *)m, (char *)q, (char *)r, (char *)p };
static const size_t  lengths[ARRAYS] = { sizeof(a), sizeof(b), sizeof(m), sizeof(q), sizeof(r), sizeof(p) };
static uint32_t tree[MOST_TIMES + 1], latest[MOST_LINES], n_times;
static uint64_t n_all[KERNELS][ARRAYS], n_first[KERNELS][ARRAYS], misses[KERNELS][ARRAYS][SIZES][3];

static void tree_add(uint32_t time, uint32_t n)
{
	for (; time <= MOST_TIMES; time += time & -time)
		tree[time] += n;
}

static uint32_t tree_sum(uint32_t time)
{
	uint32_t n = 0;

	for (; time; time -= time & -time)
		n += tree[time];
	return n;
}

static void touch(const void *at)
{
	uint32_t line = 0, array;

	for (array = 0; (uintptr_t)at - (uintptr_t)bases[array] >= lengths[array]; array++)
		line += (uint32_t)((lengths[array] + 63) / 64);
	line += (uint32_t)(((uintptr_t)at - (uintptr_t)bases[array]) / 64);
	n_all[kernel][array]++;
	if (++n_times > MOST_TIMES)
		abort();
	if (!latest[line]) {
		n_first[kernel][array]++;
	} else {
		uint32_t distance = latest[line] == n_times - 1 ? 0 : tree_sum(n_times - 1) - tree_sum(latest[line]);

		for (int i = 0; i < SIZES && distance >= (256u << i) / 5 * 4; i++) {
			uint32_t lines = 256u << i;

			misses[kernel][array][i][0]++;
			misses[kernel][array][i][1] += distance >= lines;
			misses[kernel][array][i][2] += distance >= lines / 4 * 5;
		}
		tree_add(latest[line], (uint32_t)-1);
	}
	latest[line] = n_times;
	tree_add(n_times, 1);
}
#define AT(x) (*(touch(&(x)), &(x)))
#else
#define AT(x) (x)
#endif

static double triad(int again)
{
	for (int k = 0; k < again; k++)
		for (int i = 0; i < LONG / 3; i++)
			AT(a[i]) = AT(b[i]) * 2 + k;
	return AT(a[0]);
}

static double back(int again)
{
	double s = 0;

	for (int k = 0; k < again; k++)
		for (int i = LONG - 1; i >= 0; i--)
			s += AT(b[i]);
	return s;
}

static double product(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			double s = 0;

			for (int k = 0; k < N; k++)
				s += AT(m[i][k]) * AT(q[k][j]);
			AT(r[i][j]) = s;
		}
	return AT(r[1][2]);
}

static double columns(int again)
{
	double s = 0;

	for (int k = 0; k < again; k++)
		for (int j = 0; j < N; j++)
			for (int i = 0; i < N; i++)
				s += AT(m[i][j]);
	return s;
}

static double stencil(int again)
{
	for (int k = 0; k < again; k++)
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				AT(q[i][j]) = AT(m[i - 1][j]) + AT(m[i + 1][j]) + AT(m[i][j - 1]) + AT(m[i][j + 1]);
	return AT(q[2][3]);
}

static double gather(int again)
{
	uint32_t at = 1;
	double s = 0;

	for (int i = 0; i < again; i++) {
		at = at * 1664525u + 1013904223u;
		s += AT(a[(at >> 8) % LONG]);
	}
	return s;
}

static double chase(int again)
{
	double s = 0;
	uint32_t at = 0;

	for (int i = 0; i < again; i++) {
		s += AT(p[at].x);
		at = AT(p[at].next);
	}
	return s;
}

/* One field of each structure, and few of them. */
static double fields(int again)
{
	double s = 0;

	for (int k = 0; k < again; k++)
		for (int i = 0; i < PLACES / 8; i++)
			s += AT(p[i].y);
	return s;
}

/* Two fields of structures that are longer than a line, so that they are in one line only now and then. */
static double apart(int again)
{
	double s = 0;

	for (int k = 0; k < again; k++)
		for (int i = 0; i < LONG / 20; i++)
			s += AT(a[i * 10]) + AT(a[i * 10 + 7]);
	return s;
}

int main(void)
{
	double s = 0;

	kernel = KERNELS - 1;
	/* the order of the places is one cycle over all of them */
	for (uint32_t i = 0; i < PLACES; i++)
		AT(p[i].next) = (i * 7921u + 1) % PLACES;
#pragma pomp inst begin(triad)
	kernel = 0;
	s += triad(20);
#pragma pomp inst end(triad)
#pragma pomp inst begin(back)
	kernel = 1;
	s += back(10);
#pragma pomp inst end(back)
#pragma pomp inst begin(product)
	kernel = 2;
	s += product();
#pragma pomp inst end(product)
#pragma pomp inst begin(columns)
	kernel = 3;
	s += columns(20);
#pragma pomp inst end(columns)
#pragma pomp inst begin(stencil)
	kernel = 4;
	s += stencil(10);
#pragma pomp inst end(stencil)
#pragma pomp inst begin(gather)
	kernel = 5;
	s += gather(1000000);
#pragma pomp inst end(gather)
#pragma pomp inst begin(chase)
	kernel = 6;
	s += chase(400000);
#pragma pomp inst end(chase)
#pragma pomp inst begin(fields)
	kernel = 7;
	s += fields(100);
#pragma pomp inst end(fields)
#pragma pomp inst begin(apart)
	kernel = 8;
	s += apart(100);
#pragma pomp inst end(apart)
#ifdef EXACT
	static const char *const kernels[] = { "triad", "back", "product", "columns", "stencil", "gather", "chase", "fields",
		                               "apart" };

	for (int k = 0; k < 9; k++)
		for (int i = 0; i < ARRAYS; i++) {
			if (!n_all[k][i])
				continue;
			printf("%s %s %llu %llu", kernels[k], array_names[i], (unsigned long long)n_all[k][i],
			       (unsigned long long)n_first[k][i]);
			for (int c = 0; c < SIZES; c++)
				printf(" %llu %llu %llu", (unsigned long long)misses[k][i][c][0],
				       (unsigned long long)misses[k][i][c][1], (unsigned long long)misses[k][i][c][2]);
			printf("\n");
		}
#endif
	fprintf(stderr, "%g\n", s);
	return 0;
}
