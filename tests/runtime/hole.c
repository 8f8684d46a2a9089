/*
 * hole: unmaps every other piece of its memory, maps something into these holes again at the end, and writes to it: all
 * the time nothing else may lie there.  Prints how many mappings did.  regions.h has regions that are entered for the
 * first time when there are holes.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { N_KINDS = 3, N_HOLES = 16 };
static const size_t sizes[N_KINDS] = { 1 << 16, 1 << 20, 1 << 23 };
static char *pieces[N_KINDS];
static unsigned int squares[1000];

#include "regions.h"

static char *hole(int kind, int i)
{
	return pieces[kind] + (2 * (size_t)i + 1) * sizes[kind];
}

/* Returns how many of the process's mappings meet a hole. */
static int in_holes(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096];
	int n = 0;

	while (fgets(line, sizeof(line), maps)) {
		unsigned long lo = 0, hi = 0;

		sscanf(line, "%lx-%lx", &lo, &hi);
		for (int kind = 0; kind < N_KINDS; kind++)
			for (int i = 0; i < N_HOLES; i++) {
				unsigned long at = (unsigned long)hole(kind, i);

				n += lo < at + sizes[kind] && at < hi;
			}
	}
	fclose(maps);
	return n;
}

int main(void)
{
	unsigned int sum = first();
	int n;

	for (int kind = 0; kind < N_KINDS; kind++) {
		pieces[kind] = mmap(NULL, 2 * N_HOLES * sizes[kind], PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		                    -1, 0);
		for (int i = 0; i < N_HOLES; i++)
			munmap(hole(kind, i), sizes[kind]);
	}
	for (int k = 0; k < N_REGIONS; k++)
		sum += regions[k]();
	n = in_holes();
	for (int kind = 0; kind < N_KINDS; kind++)
		for (int i = 0; i < N_HOLES; i++) {
			if (mmap(hole(kind, i), sizes[kind], PROT_READ | PROT_WRITE,
			         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != hole(kind, i))
				abort();
			memset(hole(kind, i), 0x5a, sizes[kind]);
		}
	printf("%u %d %u\n", sum, n, first());
	return 0;
}
