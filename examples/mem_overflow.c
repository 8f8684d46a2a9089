/*
 * mem_overflow: a handler that takes samples away as they come, so that a long run needs little memory (ompp_mem.h).
 *
 *      cc mem_overflow.c $(pkg-config --cflags --libs ompp-mem)
 *
 * It prints how often the handler was called, and how many loads of memory it saw.  Where the machine has no samples, it
 * prints why, and ends with 0 as well.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ompp_mem.h"

enum { N = 1 << 22, ROUNDS = 20, SAMPLES = 100 };

struct sums {
	unsigned long calls, samples, of_memory;
};

/* The session calls this in a thread of its own, while the program runs on. */
static void take(struct ompp_mem *mem, size_t thread, void *context)
{
	struct ompp_mem_sample samples[SAMPLES];
	size_t n = ompp_mem_take(mem, thread, samples, SAMPLES);
	struct sums *sums = context;

	sums->calls++;
	sums->samples += n;
	for (size_t i = 0; i < n; i++)
		sums->of_memory += samples[i].level == OMPP_MEM_LEVEL_LOCAL_MEMORY ||
		                   samples[i].level == OMPP_MEM_LEVEL_REMOTE_MEMORY;
}

int main(void)
{
	const struct ompp_mem_options options = { .period = 1000, .most_samples = 10 * SAMPLES };
	double *a = calloc(N, sizeof(*a)), sum = 0;
	struct sums sums = { 0, 0, 0 };
	struct ompp_mem *mem;

	if (!a)
		return 1;
	if (ompp_mem_supported(OMPP_MEM_LOADS)) {
		printf("no samples of loads: %s\n", ompp_mem_message());
		free(a);
		return 0;
	}
	if (ompp_mem_new(&mem, NULL, 1, &options) || ompp_mem_set_handler(mem, SAMPLES, take, &sums) ||
	    ompp_mem_start(mem, OMPP_MEM_LOADS)) {
		printf("mem_overflow: %s\n", ompp_mem_message());
		return 1;
	}
	for (int round = 0; round < ROUNDS; round++)
		for (unsigned int i = 0; i < N; i++)
			sum += a[i * 7919u % N];
	ompp_mem_stop(mem);
	printf("%lu calls, %lu samples, %lu of them loads of memory, %llu lost\n", sums.calls, sums.samples,
	       sums.of_memory, (unsigned long long)ompp_mem_counts(mem, 0).lost);
	ompp_mem_free(mem);
	free(a);
	return sum != 0;
}
