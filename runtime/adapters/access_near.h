/*
 * Access, near: what hooks count by themselves, without a call of libompp: accesses that a way of the tally holds
 * (data/tally.h).
 */
#ifndef OMPP_ADAPTERS_ACCESS_NEAR_H
#define OMPP_ADAPTERS_ACCESS_NEAR_H

#include "runtime/adapters/access.h"
#include "runtime/data/front.h"
#include "runtime/data/known.h"
#include "runtime/data/order.h"

/* Code reads by these pointers whether it may count many accesses at once, in any order or in theirs (data/order.h), or
 * has to call a hook for each.  The dynamic linker sets them. */
extern const int *const ompp_access_by_runs __attribute__((visibility("hidden")));
extern const int *const ompp_access_by_order __attribute__((visibility("hidden")));

/* Counts an access of 1 << size bytes as its hook does.
 * slot: OMPP_SLOT_LOAD or OMPP_SLOT_STORE */
void ompp_count_access(uintptr_t address, unsigned int size, unsigned int slot) __attribute__((visibility("hidden")));

/* Counts the accesses of loops that wait (data/known.h).  None does when a signal handler comes in the middle, whose
 * accesses are counted at once. */
void ompp_count_waiting(struct ompp_known *known) __attribute__((visibility("hidden")));

/* Does so before others are counted by libompp, which may end the interval. */
static inline void ompp_end_waiting(void)
{
	struct ompp_known *known = ompp_access_known;

	if (__builtin_expect(known && known->n_logs, 0))
		ompp_count_waiting(known);
}

/* Returns what holds an access that stays where it is in the cache model, as its line is in front there; else NULL. */
static inline const struct ompp_segment *ompp_block_in_front(const struct ompp_tally *tally, uintptr_t address,
                                                             size_t n_bytes, unsigned int slot)
{
	const struct ompp_front *front = ompp_access_front;
	const struct ompp_segment *s;

	if (!front || !tally->n_rows || !OMPP_LOAD(ompp_access_by_order))
		return NULL;
	s = &front->line[address >> front->shift & front->mask];
	if (!ompp_segment_has(s, address, n_bytes))
		return NULL;
	return slot == OMPP_SLOT_BLOCK_LOAD || s->cover != OMPP_FRONT_LOADS ? s : NULL;
}

/* Counts an access of any size.
 * slot: as for ompp_access_block() */
static inline void ompp_count_block(uintptr_t address, size_t n_bytes, unsigned int slot)
{
	struct ompp_tally *tally = ompp_access_tally;
	const struct ompp_segment *s = tally->way[ompp_way(address)];

	if (__builtin_expect(!n_bytes || !OMPP_LOAD(ompp_access_by_runs) || !ompp_segment_has(s, address, n_bytes),
	                     0)) {
		struct ompp_known *known = ompp_access_known;

		if (!n_bytes || (known && OMPP_LOAD(ompp_access_by_runs) &&
		                 ompp_known_count_block(known, tally, address, n_bytes, slot)))
			return;
		s = ompp_block_in_front(tally, address, n_bytes, slot);
		if (!s) {
			ompp_end_waiting();
			ompp_access_block(address, n_bytes, slot);
			return;
		}
	}
	ompp_tally_count_block(tally, s->row, address, n_bytes, slot);
}

#endif
