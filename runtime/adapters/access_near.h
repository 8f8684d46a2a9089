/*
 * Access, near: the hooks' fast path, which counts accesses in the segment of a way (data/tally.h) without a call of
 * libompp.
 */
#ifndef OMPP_ADAPTERS_ACCESS_NEAR_H
#define OMPP_ADAPTERS_ACCESS_NEAR_H

#include "runtime/adapters/access_hooks.h"
#include "runtime/data/front.h"
#include "runtime/data/grain.h"
#include "runtime/data/known.h"
#include "runtime/data/order.h"

/* Through these pointers, compiled code reads whether it may count many accesses at once, in any order or in program
 * order (data/order.h), or has to call a hook for each.  The dynamic linker sets them. */
extern const int *const ompp_access_by_runs __attribute__((visibility("hidden")));
extern const int *const ompp_access_by_order __attribute__((visibility("hidden")));

/* Counts an access that matches no way: its page is new, shares its way with another page, or has many objects.  Called
 * while accesses are counted by ways. */
void ompp_count_far(uintptr_t address, struct ompp_tally *tally, unsigned int size, unsigned int slot)
	__attribute__((visibility("hidden")));

/* Counts an access whose way leads to a page's own segment (OMPP_ROW_PAGE), this one or another. */
void ompp_count_in_page(uintptr_t address, struct ompp_tally *tally, const struct ompp_segment *s, unsigned int size,
                        unsigned int slot) __attribute__((visibility("hidden")));

/* Counts the logged accesses of loops (data/known.h).  None is logged when a signal handler has interrupted this: its
 * accesses are counted at once. */
void ompp_count_waiting(struct ompp_known *known) __attribute__((visibility("hidden")));

/* Does so before libompp counts other accesses, which may end the interval. */
static inline void ompp_end_waiting(void)
{
	struct ompp_known *known = ompp_access_known;

	if (__builtin_expect(known && known->n_logs, 0))
		ompp_count_waiting(known);
}

/* Returns the front that contains an access, whose line is the one used last in its set of the cache model; else
 * NULL. */
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

/* Returns the segment that contains the whole page of an address, and fills a way with it; NULL when there is none, or
 * accesses are not counted by ways now. */
static __attribute__((noinline, unused)) const struct ompp_segment *ompp_lead_to(struct ompp_tally *tally,
                                                                                 uintptr_t address)
{
	uintptr_t page = tally->row_end ? ompp_page_of(address) : 0;
	const struct ompp_segment *s = (const struct ompp_segment *)page;

	if (!page || page & 1 || s->row >= tally->row_end)
		return NULL;
	tally->way[ompp_way(address)] = s;
	return s;
}

/* Counts an access of any size that is not in the segment of a way. */
static __attribute__((noinline, unused)) void ompp_count_block_far(uintptr_t address, size_t n_bytes, unsigned int slot)
{
	struct ompp_tally *tally = ompp_access_tally;
	struct ompp_known *known = ompp_access_known;
	const struct ompp_segment *s;

	if (!n_bytes)
		return;
	if (OMPP_LOAD(ompp_access_by_runs)) {
		s = ompp_lead_to(tally, address);
		if (s && !ompp_segment_has(s, address, n_bytes))
			s = NULL;
		if (!s && known && ompp_known_count_block(known, tally, address, n_bytes, slot))
			return;
	} else {
		s = ompp_block_in_front(tally, address, n_bytes, slot);
	}
	if (s) {
		ompp_tally_count_block(tally, s->row, address, n_bytes, slot);
		return;
	}
	ompp_end_waiting();
	ompp_access_block(address, n_bytes, slot);
}

/* Counts an access of any size.
 * slot: as for ompp_access_block() */
static inline void ompp_count_block(uintptr_t address, size_t n_bytes, unsigned int slot)
{
	struct ompp_tally *tally = ompp_access_tally;
	const struct ompp_segment *s = tally->way[ompp_way(address)];

	if (__builtin_expect(n_bytes && OMPP_LOAD(ompp_access_by_runs) && ompp_segment_has(s, address, n_bytes), 1))
		ompp_tally_count_block(tally, s->row, address, n_bytes, slot);
	else
		ompp_count_block_far(address, n_bytes, slot);
}

#endif
