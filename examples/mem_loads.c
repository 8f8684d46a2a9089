/*
 * mem_loads: where the loads of a loop are served from, by samples of the processor (ompp_mem.h); no profile is made.
 *
 *      cc mem_loads.c $(pkg-config --cflags --libs ompp-mem)
 *
 * It prints how many samples there are and the share of each level.  Where the machine has none, it prints why, and
 * ends with 0 as well.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ompp_mem.h"

enum { N = 1 << 22 };

int main(void)
{
	const struct ompp_mem_options options = { .period = 1000 };
	double *a = calloc(N, sizeof(*a)), sum = 0;
	struct ompp_mem *mem;

	if (!a)
		return 1;
	if (ompp_mem_supported(OMPP_MEM_LOADS)) {
		printf("no samples of loads: %s\n", ompp_mem_message());
		free(a);
		return 0;
	}
	if (ompp_mem_new(&mem, NULL, 1, &options) || ompp_mem_start(mem, OMPP_MEM_LOADS)) {
		printf("mem_loads: %s\n", ompp_mem_message());
		return 1;
	}
	for (unsigned int i = 0; i < N; i++)
		sum += a[i * 7919u % N];
	ompp_mem_stop(mem);
	ompp_mem_print(mem, stdout, 0);
	ompp_mem_free(mem);
	free(a);
	return sum != 0;
}
