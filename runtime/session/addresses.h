/*
 * Addresses: a table from addresses of code to regions, with open addressing.
 *
 * A thread claims an entry by compare-and-swap on its word, and sets the region later.  Entries are never removed.
 */
#ifndef OMPP_SESSION_ADDRESSES_H
#define OMPP_SESSION_ADDRESSES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/space.h"
#include "runtime/core/region.h"

typedef struct ompp_region_def *_Atomic ompp_address_region;

struct ompp_address {
	_Atomic uintptr_t word;     /* 0: not claimed */
	ompp_address_region region; /* NULL until the thread that found it has set it */
};

/* A table, all of whose bytes are 0 at first, but for their number. */
struct ompp_addresses {
	void *entries; /* struct ompp_address; NULL until an address is met */
	uint32_t n;    /* the number of entries, a power of two */
};

enum { OMPP_ADDRESS_PROBES = 64 };

/* Returns the entry of a word, in which its region is kept; NULL when there is no room.  The word is an address with
 * perhaps more, and not 0.  While the region is NULL, each thread that comes here finds it, and sets it.  HOT. */
static inline ompp_address_region *ompp_addresses_entry(struct ompp_addresses *t, uintptr_t word)
{
	struct ompp_address *table = __atomic_load_n(&t->entries, __ATOMIC_ACQUIRE);
	uint32_t at = (uint32_t)(word * 0x9E3779B97F4A7C15u >> 44);

	if (__builtin_expect(!table, 0))
		table = ompp_space_table(&t->entries, t->n * sizeof(*table));
	for (uint32_t i = 0; i < OMPP_ADDRESS_PROBES && table; i++) {
		struct ompp_address *entry = &table[(at + i) & (t->n - 1)];
		uintptr_t have = atomic_load_explicit(&entry->word, memory_order_acquire);

		if (!have && atomic_compare_exchange_strong(&entry->word, &have, word))
			have = word;
		if (have == word)
			return &entry->region;
	}
	return NULL;
}

#endif
