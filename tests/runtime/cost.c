/*
 * Cost: a program whose number of events is its argument; "nodes" makes as many call paths instead.
 * Prints its resident memory in KiB.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ompp.h>

static long resident_kib(void)
{
	long pages = 0, all;
	FILE *f = fopen("/proc/self/statm", "r");

	if (!f || fscanf(f, "%ld %ld", &all, &pages) != 2)
		exit(1);
	fclose(f);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(int argc, char **argv)
{
	static char names[1000][8];
	int n = argc > 1 ? atoi(argv[1]) : 1, i;
	int paths = argc > 2 && !strcmp(argv[2], "nodes");
	int threads = argc > 3 ? atoi(argv[3]) : 2;

	for (i = 0; i < 1000; i++)
		snprintf(names[i], sizeof(names[i]), "r%d", i);
#pragma omp parallel num_threads(threads)
	{
		int k, sum = 0;

		for (k = 0; k < n; k++) {
			if (paths) {
				ompp_region_begin(names[k % 1000]);
				ompp_region_end(names[k % 1000]);
				continue;
			}
#pragma omp atomic
			sum++;
#pragma omp task if (0)
			sum++;
#pragma omp flush
		}
	}
	printf("%ld\n", resident_kib());
	return 0;
}
