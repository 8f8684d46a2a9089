/*
 * Seed: see seed.h.
 */
#include "runtime/host/seed.h"

#include <elf.h>
#include <string.h>
#include <time.h>

#include "runtime/base/auxv.h"
#include "runtime/base/geometric.h"
#include "runtime/host/clock.h"

/* Returns a seed that all bits of two numbers matter to. */
static uint64_t seed_mix(uint64_t a, uint64_t b)
{
	uint64_t seed = ompp_random_seed(ompp_random_seed(a) ^ b) >> 8 & (OMPP_SEED_END - 1);

	return seed ? seed : 1;
}

/* The C library guards stacks and pointers by these 16 bytes.  Reports show the seed, which has 48 bits of their
 * exclusive or with the time: neither guard follows from it. */
uint64_t ompp_seed_draw(uint64_t pid)
{
	const void *bytes = (const void *)ompp_auxv(AT_RANDOM);
	struct timespec now = { 0, 0 };
	uint64_t drawn[2] = { 0, 0 };

	if (bytes)
		memcpy(drawn, bytes, sizeof(drawn));
	ompp_clock_read(CLOCK_MONOTONIC, &now);
	return seed_mix(drawn[0] ^ drawn[1], (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec + (pid << 40));
}

uint64_t ompp_seed_of_child(uint64_t seed, uint64_t n)
{
	return seed_mix(seed, n);
}
