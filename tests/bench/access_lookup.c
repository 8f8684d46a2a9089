/*
 * access_lookup: what one access costs by the way to its object.  128 MiB in n blocks, each named; two threads call the
 * hook of an 8-byte load with addresses from a list, so that the memory itself is not touched.  Run as
 * `access_lookup N-OBJECTS`; prints for each pattern the least thread CPU time of a call, in nanoseconds:
 *
 *   sweep    three objects in turn, each from begin to end, again and again
 *   walk     three streams in turn, each through a third of all objects
 *   random   any address of any object
 *
 * To be linked with libompp_access.a, or with access_empty.c to see what loop and call cost.
 */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/ompp.h"

#pragma weak ompp_data_begin

enum { ALL_BYTES = 128 << 20, N_ADDRESSES = 1 << 18, N_CALLS = 1 << 23, REPEATS = 9, N_THREADS = 2 };

void __tsan_read8(void *address);

static size_t n_blocks, block_bytes;
static char **blocks;

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void sweep(char **list)
{
	size_t words = block_bytes / 8, i;

	for (i = 0; i < N_ADDRESSES; i++)
		list[i] = blocks[i % 3 * (n_blocks / 3)] + i / 3 % words * 8;
}

static void walk(char **list)
{
	size_t words = block_bytes / 8, third = n_blocks / 3, i;

	for (i = 0; i < N_ADDRESSES; i++)
		list[i] = blocks[i % 3 * third + i / 3 / words % third] + i / 3 % words * 8;
}

static void at_random(char **list)
{
	uint64_t state = 88172645463325252u;
	size_t i;

	for (i = 0; i < N_ADDRESSES; i++) {
		char *block = blocks[next_random(&state) % n_blocks];

		list[i] = block + next_random(&state) % (block_bytes / 8) * 8;
	}
}

static double ns_a_call(char **list)
{
	double least = 1e9;
	int k;

	for (k = 0; k < REPEATS; k++) {
		double total = 0;

#pragma omp parallel num_threads(N_THREADS) reduction(+ : total)
		{
			size_t i, base = (size_t)omp_get_thread_num() * (N_ADDRESSES / N_THREADS);
			double begin = now_ns();

			for (i = 0; i < N_CALLS; i++)
				__tsan_read8(list[(base + i) % N_ADDRESSES]);
			total += now_ns() - begin;
		}
		total /= (double)N_THREADS * N_CALLS;
		if (total < least)
			least = total;
	}
	return least;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*fill)(char **list);
	} patterns[] = { { "sweep", sweep }, { "walk", walk }, { "random", at_random } };
	char **list = malloc(N_ADDRESSES * sizeof(*list)), name[32];
	size_t i;

	n_blocks = argc > 1 ? strtoul(argv[1], NULL, 10) : 8;
	blocks = malloc(n_blocks * sizeof(*blocks));
	if (n_blocks < 3 || !list || !blocks)
		return 1;
	block_bytes = ALL_BYTES / n_blocks / 8 * 8;
	for (i = 0; i < n_blocks; i++) {
		blocks[i] = malloc(block_bytes);
		if (!blocks[i])
			return 1;
		snprintf(name, sizeof(name), "object %zu", i);
		if (ompp_data_begin)
			ompp_data_begin(blocks[i], block_bytes, name);
	}
	for (i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		patterns[i].fill(list);
		printf("%zu %s %.2f\n", n_blocks, patterns[i].name, ns_a_call(list));
	}
	return 0;
}
