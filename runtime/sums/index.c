/*
 * Index: see index.h.
 */
#include "runtime/sums/index.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/check.h"

enum { FIRST_SLOTS = 256 };

static void index_put(struct ompp_index *index, uint32_t i, uint32_t hash)
{
	size_t at = hash;

	ompp_assert(index->n_slots && !(index->n_slots & (index->n_slots - 1)));
	while (index->slots[at & (index->n_slots - 1)] != OMPP_INDEX_FREE)
		at++;
	index->slots[at & (index->n_slots - 1)] = i;
}

int ompp_index_put(struct ompp_index *index, struct ompp_arena *arena, uint32_t i, ompp_index_hash *hash,
                   const void *context)
{
	struct ompp_index more;
	uint32_t k;

	if (2 * ((size_t)i + 1) > index->n_slots) {
		more.n_slots = index->n_slots ? index->n_slots * 2 : FIRST_SLOTS;
		more.slots = ompp_arena_alloc(arena, more.n_slots * sizeof(*more.slots));
		if (!more.slots)
			return -ENOMEM;
		memset(more.slots, 0xff, more.n_slots * sizeof(*more.slots));
		*index = more;
		for (k = 0; k < i; k++)
			index_put(index, k, hash(context, k));
	}
	ompp_assert(2 * ((size_t)i + 1) <= index->n_slots);
	index_put(index, i, hash(context, i));
	return 0;
}
