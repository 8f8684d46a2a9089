/*
 * Access, near: what hooks count by themselves, without a call of libompp: accesses that a way of the tally holds
 * (data/tally.h).
 */
#ifndef OMPP_ADAPTERS_ACCESS_NEAR_H
#define OMPP_ADAPTERS_ACCESS_NEAR_H

#include "runtime/adapters/access.h"
#include "runtime/data/order.h"

/* Code reads by these pointers whether it may count many accesses at once, in any order or in theirs (data/order.h), or
 * has to call a hook for each.  The dynamic linker sets them. */
extern const int *const ompp_access_by_runs __attribute__((visibility("hidden")));
extern const int *const ompp_access_by_order __attribute__((visibility("hidden")));

/* Counts an access of any size.
 * slot: as for ompp_access_block() */
static inline void ompp_count_block(uintptr_t address, size_t n_bytes, unsigned int slot)
{
	struct ompp_tally *tally = ompp_access_tally;
	const struct ompp_segment *s = tally->way[ompp_way(address)];
	uint64_t *words, *extent;

	if (__builtin_expect(!n_bytes || !OMPP_LOAD(ompp_access_by_runs) || !ompp_segment_holds(s, address, 0) ||
	                             !ompp_segment_holds(s, address + n_bytes - 1, 0),
	                     0)) {
		ompp_access_block(address, n_bytes, slot);
		return;
	}
	words = ompp_tally_word(tally, s->row, 0);
	ompp_tally_add(words + slot, 1);
	ompp_tally_add(words + slot + 1, n_bytes);
	extent = words + (slot == OMPP_SLOT_BLOCK_LOAD ? OMPP_SLOT_LOAD_EXTENT : OMPP_SLOT_STORE_EXTENT);
	if (__builtin_expect(address - extent[0] >= extent[1] || address + n_bytes - 1 - extent[0] >= extent[1], 0))
		ompp_tally_extend(extent, address, n_bytes);
}

#endif
