/* One loop over two of eight members: a quarter of each line is used. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 18, TIMES = 8 };

struct part {
	double x, y, z, vx, vy, vz, mass, charge;
};

int main(void)
{
	struct part *parts = calloc(N, sizeof(*parts));
	double sum = 0;

#pragma omp parallel num_threads(1) reduction(+ : sum)
	for (int r = 0; r < TIMES; r++)
		for (int i = 0; i < N; i++)
			sum += parts[i].x * parts[i].mass;
	printf("%g\n", sum);
	return 0;
}
