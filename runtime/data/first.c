/*
 * First: see first.h.
 */
#include "runtime/data/first.h"

#include <stdatomic.h>

#include "runtime/base/check.h"
#include "runtime/data/object.h"

enum { PAGE_BITS = 12, N_PAGES = 1 << 20, SLOT_BITS = 16, EPOCH_SHIFT = 52, GROUP_BITS = 9, MOST_FORGOTTEN = 1 << 16 };

/* An entry for each page is epoch << EPOCH_SHIFT | page << SLOT_BITS | slot + 1, or 0 when it is free.  Entries of
 * another epoch are free as well, so a large range is forgotten when a new epoch begins. */
static _Atomic(_Atomic(uint64_t) *) table;
static _Atomic uint64_t epoch;

/* Pages that lie together have places that lie together. */
static _Atomic(uint64_t) *place_of(_Atomic(uint64_t) *pages, uint64_t page)
{
	uint64_t group = (page >> GROUP_BITS) * 0x9E3779B97F4A7C15u >> 32;

	return &pages[(group << GROUP_BITS | (page & ((1 << GROUP_BITS) - 1))) % N_PAGES];
}

static uint64_t head_of(uint64_t page)
{
	uint64_t now = atomic_load_explicit(&epoch, memory_order_relaxed);

	return (now << EPOCH_SHIFT | page << SLOT_BITS) & ~(uint64_t)UINT16_MAX;
}

static int is_free(uint64_t entry)
{
	return !entry || (entry ^ head_of(0)) >> EPOCH_SHIFT;
}

static _Atomic(uint64_t) *get_table(void)
{
	_Atomic(uint64_t) *pages = atomic_load_explicit(&table, memory_order_acquire), *fresh;

	if (pages)
		return pages;
	fresh = ompp_data_alloc(N_PAGES * sizeof(*fresh));
	return !fresh || atomic_compare_exchange_strong(&table, &pages, fresh) ? fresh : pages;
}

void ompp_first_store(uint32_t slot, uintptr_t *last, uintptr_t address, size_t n_bytes)
{
	uint64_t page = address >> PAGE_BITS, end = (address + (n_bytes - 1)) >> PAGE_BITS;
	_Atomic(uint64_t) *pages;

	if (page == *last && page == end)
		return;
	ompp_assert(n_bytes && page <= end);
	pages = get_table();
	if (!pages || slot >= UINT16_MAX || end - page > MOST_FORGOTTEN)
		return;
	*last = end;
	for (; page <= end; page++) {
		_Atomic(uint64_t) *place = place_of(pages, page);
		uint64_t was = atomic_load_explicit(place, memory_order_relaxed);

		if (is_free(was)) /* when two come at the same time, one of them is the first */
			atomic_compare_exchange_strong_explicit(place, &was, head_of(page) | (slot + 1),
			                                        memory_order_relaxed, memory_order_relaxed);
	}
}

enum ompp_first ompp_first_by(uint32_t slot, uintptr_t address)
{
	_Atomic(uint64_t) *pages = atomic_load_explicit(&table, memory_order_acquire);
	uint64_t page = address >> PAGE_BITS, entry, head;

	if (!pages)
		return OMPP_FIRST_UNKNOWN;
	entry = atomic_load_explicit(place_of(pages, page), memory_order_relaxed);
	head = head_of(page);
	if (!entry || (entry ^ head) >> EPOCH_SHIFT)
		return OMPP_FIRST_UNKNOWN;
	return (entry ^ head) >> SLOT_BITS || !(entry & UINT16_MAX) || (entry & UINT16_MAX) == slot + 1
	             ? OMPP_FIRST_OWN
	             : OMPP_FIRST_OTHERS;
}

void ompp_first_forget(uintptr_t lo, uintptr_t hi)
{
	_Atomic(uint64_t) *pages = atomic_load_explicit(&table, memory_order_acquire);
	uint64_t page = lo >> PAGE_BITS, end = hi >> PAGE_BITS;

	if (!pages || hi <= lo)
		return;
	if (end - page > MOST_FORGOTTEN) {
		atomic_fetch_add_explicit(&epoch, 1, memory_order_relaxed);
		return;
	}
	for (; page <= end; page++) {
		_Atomic(uint64_t) *place = place_of(pages, page);
		uint64_t was = atomic_load_explicit(place, memory_order_relaxed);

		if ((was & ~(uint64_t)UINT16_MAX) == head_of(page))
			atomic_compare_exchange_strong_explicit(place, &was, 0, memory_order_relaxed,
			                                        memory_order_relaxed);
	}
}
