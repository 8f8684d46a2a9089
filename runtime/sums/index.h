/*
 * Index: a hash index for the caller's array.
 *
 * It uses open addressing and is never more than half full.  Its memory comes from an arena, so an outgrown table stays
 * there until the arena ends.
 */
#ifndef OMPP_SUMS_INDEX_H
#define OMPP_SUMS_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"

#define OMPP_INDEX_FREE UINT32_MAX

struct ompp_index {
	uint32_t *slots; /* numbers of entries */
	size_t n_slots;  /* a power of two; 0 when the index is empty */
};

/* Returns the hash of entry i. */
typedef uint32_t ompp_index_hash(const void *context, uint32_t i);

/* Returns a hash of two numbers. */
static inline uint32_t ompp_index_pair(uint32_t a, uint32_t b)
{
	return (uint32_t)(((uint64_t)a << 32 ^ b) * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

/* Returns the number of the next entry that may have the hash, or OMPP_INDEX_FREE after the last one.  *at is the hash
 * at the first call. */
static inline uint32_t ompp_index_next(const struct ompp_index *index, size_t *at)
{
	return index->n_slots ? index->slots[(*at)++ & (index->n_slots - 1)] : OMPP_INDEX_FREE;
}

/* Puts entry i in.  Entries 0 to i - 1 must be in already.  Returns 0 or -ENOMEM. */
int ompp_index_put(struct ompp_index *index, struct ompp_arena *arena, uint32_t i, ompp_index_hash *hash,
                   const void *context);

#endif
