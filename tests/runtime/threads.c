/* As many threads as the argument says, each of which counts its own work, in an array that all of them share. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	static int n[1024];
	int n_threads = argc > 1 ? atoi(argv[1]) : 1, sum = 0;

#pragma omp parallel for num_threads(n_threads)
	for (int i = 0; i < 1024; i++)
		n[i] = omp_get_num_threads();
	for (int i = 0; i < 1024; i++)
		sum += n[i] == n_threads;
	printf("%d\n", sum);
	return 0;
}
