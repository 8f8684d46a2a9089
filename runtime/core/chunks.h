/*
 * Chunks: the counts and times, at a node, of the chunks of iterations that the OpenMP library hands out to its loop
 * (interpose/chunk_calls.h).
 */
#ifndef OMPP_CORE_CHUNKS_H
#define OMPP_CORE_CHUNKS_H

#include <stdint.h>

/* Written by the owner of the node, in ticks.  Some calls are chosen at random, and timed. */
struct ompp_chunks {
	uint64_t n;       /* calls that ask for a chunk; the last of each execution gets none */
	uint64_t left;    /* calls until one is timed, that one included; 0 before the first */
	uint64_t random;  /* state of the random choice; never 0 once it is used */
	uint64_t n_timed; /* calls that were timed */
	uint64_t n_long;  /* calls that took so long that the thread must have been without its processor; not timed */
	int64_t timed_ticks; /* the time of the timed ones, without that of reading the clock */
	uint64_t squares[2]; /* the sum of the squares of these times, low and high word */
};

#endif
