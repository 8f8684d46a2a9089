/*
 * Seed: what makes the random choices of one process differ from those of all others.
 */
#ifndef OMPP_HOST_SEED_H
#define OMPP_HOST_SEED_H

#include <stdint.h>

/* Seeds are below it, so that each program that reads JSON knows them exactly. */
#define OMPP_SEED_END ((uint64_t)1 << 48)

/* Returns a seed, 1 at least, from what the kernel draws for each process at its exec (AT_RANDOM), its process id and
 * the time.  It asks no system call of the kernel, and takes nothing from the program's own generators.  COLD.
 * pid: of the process */
uint64_t ompp_seed_draw(uint64_t pid);

/* Returns the seed, 1 at least, of the nth child of a process with a seed. */
uint64_t ompp_seed_of_child(uint64_t seed, uint64_t n);

#endif
