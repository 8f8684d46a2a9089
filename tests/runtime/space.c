/*
 * Space: an OpenMP program that needs little address space, or much for itself.
 * Usage: space THREADS [MEGABYTES].  It prints its sum, and on stderr the most address space that it had, in KiB.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	int n_threads = argc > 1 ? atoi(argv[1]) : 1, i;
	size_t n = (size_t)(argc > 2 ? atoi(argv[2]) : 0) << 20;
	char *mine, line[256];
	long sum = 0;
	FILE *status;

#pragma omp parallel for num_threads(n_threads) reduction(+ : sum) schedule(static, 1)
	for (i = 0; i < n_threads; i++) {
#pragma omp critical
		sum += i;
	}
	mine = malloc(n + 1);
	if (!mine) {
		fputs("no memory\n", stderr);
		return 1;
	}
	memset(mine, 1, n + 1);
#pragma omp parallel num_threads(n_threads) reduction(+ : sum)
	sum += mine[0];
	printf("%ld\n", sum);
	fflush(stdout);
	status = fopen("/proc/self/status", "r");
	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "VmPeak: %d", &i) == 1)
			fprintf(stderr, "%d\n", i);
	return 0;
}
