/*
 * twins: three named arrays, accessed in loops; built with -DTWIN it also stores to 64 words that nobody named, before.
 */
#include <stdio.h>
#include <stdlib.h>

#include <ompp.h>

int main(void)
{
	enum { N = 4096 };
	double *a = malloc(N * sizeof(double)), *b = malloc(N * sizeof(double)), *c = malloc(N * sizeof(double)), s = 0;
	unsigned int x = 12345;

	ompp_data_begin(a, N * sizeof(double), "a");
	ompp_data_begin(b, N * sizeof(double), "b");
	ompp_data_begin(c, N * sizeof(double), "c");
	for (int i = 0; i < N; i++)
		a[i] = b[i] = c[i] = i;
#pragma omp parallel reduction(+ : s) firstprivate(x)
	{
#ifdef TWIN
		static double words[64];

		for (int k = 0; k < 640; k++)
			words[k & 63] = 1;
#endif
#pragma omp for
		for (int r = 0; r < 60; r++)
			for (int i = 0; i < N; i++) {
				s += a[i];
				if ((i & 15) == 0)
					s += b[i];
				if (i % 1001 == 0)
					c[i] += s;
			}
#pragma omp for
		for (int r = 0; r < 20; r++)
			for (int i = 0; i < N; i++) {
				x = x * 1664525 + 1013904223;
				a[(x >> 16) & (N - 1)] = b[(x >> 16) & (N - 1)] + 1;
			}
	}
	printf("%g\n", s);
	return 0;
}
