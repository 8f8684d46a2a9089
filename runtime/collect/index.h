/*
 * Index: from a hash to the numbers of the entries that have it, for entries in an array of the caller's.
 *
 * Open addressing, never more than half full.  Memory is an arena's, so what is outgrown stays behind.
 */
#ifndef OMPP_COLLECT_INDEX_H
#define OMPP_COLLECT_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"

#define OMPP_INDEX_FREE UINT32_MAX

struct ompp_index {
	uint32_t *slots;                        /* numbers of entries */
	size_t    n_slots;                      /* a power of two; 0: empty */
};

/* The hash of entry i. */
typedef uint32_t ompp_index_hash(const void *context, uint32_t i);

/* Go over the entries that may have this hash: *at is the hash at first; OMPP_INDEX_FREE after the last. */
static inline uint32_t ompp_index_next(const struct ompp_index *index, size_t *at)
{
	return index->n_slots ? index->slots[(*at)++ & (index->n_slots - 1)] : OMPP_INDEX_FREE;
}

/* Put entry i in, the last of i + 1.  0 or -ENOMEM. */
int ompp_index_put(struct ompp_index *index, struct ompp_arena *arena, uint32_t i, ompp_index_hash *hash,
                   const void *context);

#endif
