/*
 * Matrix times vector, for cache.sh: in columns or rows, on memory whose sets of the cache do not depend on the run.
 * Usage: cache columns|rows|nothing
 */
#include <stdio.h>
#include <string.h>

enum { N = 512 };

__attribute__((aligned(65536))) double a[N][N], x[N], y[N];

int main(int argc, char **argv)
{
	int i, j;

	if (argc != 2)
		return 2;
	#pragma pomp inst data(a)
	#pragma pomp inst data(x)
	#pragma pomp inst data(y)
	#pragma omp parallel num_threads(1) private(i, j)
	{
		if (!strcmp(argv[1], "columns"))
			for (j = 0; j < N; j++)
				for (i = 0; i < N; i++)
					y[i] += a[i][j] * x[j];
		if (!strcmp(argv[1], "rows"))
			for (i = 0; i < N; i++)
				for (j = 0; j < N; j++)
					y[i] += a[i][j] * x[j];
	}
	return 0;
}
