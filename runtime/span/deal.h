/*
 * Deal: how LLVM's library deals the iterations of a loop out to threads, as the run has shown it, and who would get
 * which of them with another number of threads.
 *
 * In order: who asks gets the next chunk.  Stealing (dynamic, unless it is monotonic): each thread has a range of the
 * chunks from the start, and takes them from its front.  Who has none left looks for one that has, from the next rank
 * on, and takes a quarter of what is left from the end of its range, or one chunk where less than 8 are left.  Guided
 * (auto, too): half of a thread's share of the iterations that are left, until that is hardly more than a chunk.  In
 * turn and blocks: what a static schedule deals out where the program learns of it only while it runs.
 *
 * Chunks that are too short to be strands are missing, and take no time here.
 *
 * COLD: by the thread that predicts.
 */
#ifndef OMPP_SPAN_DEAL_H
#define OMPP_SPAN_DEAL_H

#include <stdint.h>

#include "runtime/span/strand.h"

enum { OMPP_DEAL_THREADS = 256 };

enum ompp_deal_way {
	OMPP_DEAL_UNKNOWN,
	OMPP_DEAL_IN_ORDER,
	OMPP_DEAL_STEALING,
	OMPP_DEAL_GUIDED,
	OMPP_DEAL_IN_TURN,
	OMPP_DEAL_BLOCKS
};

/* A loop as a team executed it. */
struct ompp_deal {
	const struct ompp_strand *const *strands; /* its chunks are those whose indices are here: n of them, by their */
	const uint32_t *chunks;                   /* first iterations */
	uint32_t n;
	uint32_t n_iterations, chunk;
	enum ompp_deal_way ways[2]; /* two where the run does not show which one it is, else twice the same */
};

/* Returns the strand of the loop's chunk i. */
static inline const struct ompp_strand *ompp_deal_strand(const struct ompp_deal *deal, uint32_t i)
{
	return deal->strands[deal->chunks[i]];
}

/* Finds the way of a loop that n threads have executed. */
void ompp_deal_find(struct ompp_deal *deal, uint32_t n);

/* What a thread gets: how long that takes, and what of it is in a critical or ordered region. */
struct ompp_dealt {
	uint64_t ticks, locked_ticks;
	uint32_t lock;
};

struct ompp_dealer {
	const struct ompp_deal *deal;
	enum ompp_deal_way way;
	uint32_t n, chunk, n_chunks;
	uint32_t next; /* in order: a chunk; guided: an iteration */
	struct {
		uint32_t next, end; /* its range of chunks; in turn: the next one */
		uint32_t victim;    /* whom it looks at first */
		uint32_t state;     /* of its range (deal.c) */
	} of[OMPP_DEAL_THREADS];
};

/* Deals a loop out to n threads, in a way that is known and not OMPP_DEAL_BLOCKS. */
void ompp_dealer_start(struct ompp_dealer *dealer, const struct ompp_deal *deal, enum ompp_deal_way way, uint32_t n);

/* Gives the thread of a rank, which is the first one that is free, what comes next.  Returns 0 when it gets nothing
 * more. */
int ompp_dealer_next(struct ompp_dealer *dealer, uint32_t rank, struct ompp_dealt *to);

/* The same of a loop that is not guided: returns the number of the chunk, whose strands are not looked at; UINT32_MAX
 * when the thread gets nothing more. */
uint32_t ompp_dealer_chunk(struct ompp_dealer *dealer, uint32_t rank);

#endif
