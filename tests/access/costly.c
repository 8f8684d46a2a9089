/*
 * For breakpoint.sh: nine words with names in a program without hooks; one is stored as often as the first argument says,
 * in as many executions of a region as the second one says, and each of them once after each execution.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ompp.h"

static volatile long words[9];

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0, n_regions = argc > 2 ? atoi(argv[2]) : 1;
	char name[8];

	for (int i = 0; i < 9; i++) {
		snprintf(name, sizeof(name), "w%d", i);
		ompp_data_begin((void *)(size_t)&words[i], sizeof(words[i]), name);
	}
	for (int r = 0; r < n_regions; r++) {
#pragma omp parallel num_threads(1)
		for (int i = 0; i < n / n_regions; i++)
			words[1] = i;
		for (int i = 0; i < 9; i++)
			words[i] = r;
	}
	return 0;
}
