/*
 * A program with one problem of its loops, which is the macro's that is defined; with MENDED, too, it does the same
 * without.  The line where it shows has the word "planted".  TIMES: how often.
 */
#include <stdio.h>
#include <stdlib.h>

#ifndef TIMES
#define TIMES 8
#endif

#if defined(REUSE) /* each thread goes over more than a cache has, time and again; mended, over one block after another */
#ifndef KIB
#define KIB 24576
#endif
enum { PARTS = 2, N = KIB * 128, BLOCK = 2048 };
static double a[PARTS][N];

static void run(void)
{
#pragma omp parallel for schedule(static, 1) /* planted */
	for (int p = 0; p < PARTS; p++)
#ifdef MENDED
		for (int b = 0; b < N; b += BLOCK)
			for (int t = 0; t < TIMES; t++)
				for (int i = b; i < b + BLOCK; i++)
					a[p][i] += t;
#else
		for (int t = 0; t < TIMES; t++)
			for (int i = 0; i < N; i++)
				a[p][i] += t;
#endif
}
#elif defined(SCALAR) /* each element needs the one before; mended, none does */
enum { PARTS = 2, N = 4096 };
static double a[PARTS][N];

static void run(void)
{
#pragma omp parallel for schedule(static, 1) /* planted */
	for (int p = 0; p < PARTS; p++)
		for (int t = 0; t < TIMES * 4000; t++)
			for (int i = 1; i < N; i++)
#ifdef MENDED
				a[p][i] = a[p][i] * 0.5 + 1;
#else
				a[p][i] = a[p][i - 1] * 0.5 + a[p][i];
#endif
}
#endif

int main(void)
{
	run();
	printf("%g %g\n", a[0][1], a[1][N - 1]);
	return 0;
}
