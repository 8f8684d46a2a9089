/*
 * Seed: a random seed that differs from process to process.
 */
#ifndef OMPP_HOST_SEED_H
#define OMPP_HOST_SEED_H

#include <stdint.h>

/* Seeds are below this limit, so that every JSON reader represents them exactly. */
#define OMPP_SEED_END ((uint64_t)1 << 48)

/* Returns a seed, at least 1, made of the kernel's random bytes for each exec (AT_RANDOM), the process id and the time.
 * It makes no system call, and does not use the program's own random generators.  COLD.
 * pid: of the process */
uint64_t ompp_seed_draw(uint64_t pid);

/* Returns the seed, at least 1, of the nth child of a process that has the given seed. */
uint64_t ompp_seed_of_child(uint64_t seed, uint64_t n);

#endif
