/*
 * What the cache model costs by access.  For cache.sh, which takes medians.
 * Usage: cache GEOMETRY      as OMPP_CACHE; prints "pattern ns-of-model ns-of-empty-function misses…" for each pattern.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/data/cache.h"

enum { N_ACCESSES = 2000000 };

static struct ompp_cache_geometry geometry;
static uintptr_t addresses[N_ACCESSES];         /* made before: only the model is timed */
static uint64_t n_missed[OMPP_CACHE_LEVELS];

static const uintptr_t base = 0x10000000;

static uint64_t next_random(void)
{
	static uint64_t r = 88172645463325252u;

	r ^= r << 13;
	r ^= r >> 7;
	r ^= r << 17;
	return r;
}

static uintptr_t in_random(size_t n_bytes)
{
	return base + next_random() % n_bytes / 8 * 8;
}

static uintptr_t one_word(size_t i) { (void)i; return base; }
static uintptr_t stream(size_t i) { return base + i * 8; }
static uintptr_t three(size_t i) { return base + i % 3 * 0x8000040 + i / 3 * 8; }
static uintptr_t column(size_t i) { return base + i % 2000 * 16000 + i / 2000 * 8; }
static uintptr_t random_16k(size_t i) { (void)i; return in_random(16 << 10); }
static uintptr_t random_512k(size_t i) { (void)i; return in_random(512 << 10); }
static uintptr_t random_16m(size_t i) { (void)i; return in_random(16 << 20); }
static uintptr_t random_1g(size_t i) { (void)i; return in_random(1 << 30); }

static const struct { const char *name; uintptr_t (*at)(size_t i); } patterns[] = {
	{ "one_word", one_word }, { "stream", stream }, { "three_arrays", three }, { "columns_of_2000", column },
	{ "random_16K", random_16k }, { "random_512K", random_512k }, { "random_16M", random_16m },
	{ "random_1G", random_1g },
};

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void *zeroed(size_t n_bytes)
{
	void *memory = aligned_alloc(64, (n_bytes + 64) & ~(size_t)63);

	if (!memory)
		exit(1);
	return memset(memory, 0, (n_bytes + 64) & ~(size_t)63);
}

__attribute__((noinline)) static unsigned int empty(uintptr_t address)
{
	__asm__ volatile("" : : "r"(address));
	return 0;
}

static void count(unsigned int missed)
{
	int i;

	for (i = 0; i < OMPP_CACHE_LEVELS; i++)
		n_missed[i] += missed >> i & 1;
}

int main(int argc, char **argv)
{
	char why[300];
	double start, model, floor;
	size_t p, i;
	int k;

	if (ompp_cache_geometry(argc > 1 ? argv[1] : "1", &geometry, why, sizeof(why))) {
		fprintf(stderr, "cache: %s\n", why);
		return 1;
	}
	for (p = 0; p < sizeof(patterns) / sizeof(*patterns); p++) {
		void *own = zeroed(ompp_cache_private_bytes(&geometry));
		void *shared = zeroed(ompp_cache_shared_bytes(&geometry));

		ompp_cache_prepare(&geometry, own, shared);
		memset(n_missed, 0, sizeof(n_missed));
		for (i = 0; i < N_ACCESSES; i++)
			addresses[i] = patterns[p].at(i);
		for (i = 0; i < N_ACCESSES; i++)        /* warm */
			count(ompp_cache_access(own, addresses[i], 8));
		start = now_ns();
		for (i = 0; i < N_ACCESSES; i++)
			ompp_cache_access(own, addresses[i], 8);
		model = now_ns() - start;
		start = now_ns();
		for (i = 0; i < N_ACCESSES; i++)
			empty(addresses[i]);
		floor = now_ns() - start;
		printf("%s %.2f %.2f", patterns[p].name, model / N_ACCESSES, floor / N_ACCESSES);
		for (k = 0; k < OMPP_CACHE_LEVELS; k++)
			printf(" %.3f", (double)n_missed[k] / N_ACCESSES);
		printf("\n");
		free(own);
		free(shared);
	}
	return 0;
}
