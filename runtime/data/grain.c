/*
 * Grain: see grain.h.
 */
#define _GNU_SOURCE
#include "runtime/data/grain.h"

#include <stdatomic.h>

#include "runtime/base/check.h"
#include "runtime/base/space.h"
#include "runtime/data/block.h"
#include "runtime/data/object.h"

ompp_grain_page *ompp_access_grains;
const uint32_t ompp_access_no_grains[OMPP_GRAINS];

enum {
	PAGE_BYTES = OMPP_GRAINS * sizeof(uint32_t) + sizeof(struct ompp_grain_segment *)
}; /* of words, and a pointer */

/* Returns the table at an entry, which is made where there is none; 0 without room. */
static uintptr_t grain_make(ompp_grain_page *entry, uintptr_t fresh)
{
	uintptr_t none = 0;

	if (!fresh || atomic_compare_exchange_strong(entry, &none, fresh))
		return fresh;
	return none; /* another thread was first; ours is lost, once */
}

/* Returns the words of the page of an address, which are made where there are none; NULL without room. */
static uint32_t *open_page(uintptr_t address)
{
	size_t i = address >> (OMPP_PAGE_BITS + 2 * OMPP_BRANCH_BITS), n = (size_t)1 << 2 * OMPP_BRANCH_BITS;
	ompp_grain_page *root, *entry;
	uintptr_t branch, page;

	if (i >= (size_t)1 << OMPP_ROOT_BITS)
		return NULL;
	root = ompp_space_table((void **)&ompp_access_grains, sizeof(*root) << OMPP_ROOT_BITS);
	if (!root)
		return NULL;
	branch = atomic_load_explicit(&root[i], memory_order_acquire);
	if (!branch)
		branch = grain_make(&root[i], (uintptr_t)ompp_space_reserve(n * sizeof(*entry)));
	if (!branch)
		return NULL;
	entry = (ompp_grain_page *)branch + (address >> OMPP_PAGE_BITS & (n - 1));
	page = atomic_load_explicit(entry, memory_order_acquire);
	if (!page && ompp_blocks_may_take(PAGE_BYTES))
		page = grain_make(entry, (uintptr_t)ompp_data_alloc(PAGE_BYTES));
	return (uint32_t *)page;
}

/* Sets a word whose grain may have a part of another block: then it stays as it is. */
static void set_part(uint32_t *word, uint32_t value)
{
	uint32_t was = OMPP_LOAD(word);

	while (was != OMPP_GRAIN_ASK &&
	       !__atomic_compare_exchange_n(word, &was, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

/* Sets the words from one address to another, of which the last one may be that of two blocks.  They are in one page,
 * and the first one begins a grain. */
static void grain_set(uint32_t *grains, uintptr_t lo, uintptr_t hi, uint32_t value)
{
	ompp_assert(!(lo & (OMPP_GRAIN_BYTES - 1)) && (lo >= hi || (lo ^ (hi - 1)) >> OMPP_PAGE_BITS == 0));
	for (; lo < hi; lo += OMPP_GRAIN_BYTES) {
		uint32_t *word = &grains[lo >> OMPP_GRAIN_BITS & (OMPP_GRAINS - 1)];

		if (hi - lo >= OMPP_GRAIN_BYTES)
			OMPP_STORE(word, value);
		else
			set_part(word, value);
	}
}

/* Returns the end of the last grain of what ends at an address. */
static uintptr_t grain_end(uintptr_t address)
{
	return (address + OMPP_GRAIN_BYTES - 1) & ~(uintptr_t)(OMPP_GRAIN_BYTES - 1);
}

/* Returns where the grain behind a block begins in which an allocator has words of its own; 0 when there is none. */
static uintptr_t grain_behind(uintptr_t address, size_t n_bytes)
{
	uintptr_t end = grain_end(address + n_bytes), least = address + OMPP_GRAIN_LEAST_BYTES;

	return end < least || grain_end(address + n_bytes + OMPP_GRAIN_BEHIND) > end ? end : 0;
}

/* Gives a row to the grain behind a block, or takes it, with 0; not to one that is of another block. */
static void set_behind(uint32_t *grains, uintptr_t at, uint32_t row)
{
	uint32_t *word = &grains[at >> OMPP_GRAIN_BITS & (OMPP_GRAINS - 1)], was = OMPP_LOAD(word);

	ompp_assert(!(at & (OMPP_GRAIN_BYTES - 1)) && !(row & OMPP_GRAIN_FLAGS));
	while (!(was & (OMPP_GRAIN_ASK | OMPP_GRAIN_OWN)) &&
	       !__atomic_compare_exchange_n(word, &was, row, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

/* Lets the grains of a block ask, of which the first one may have a part of another block.  They do so for good, as
 * nobody knows when both parts have ended, but until a block has all of the grain. */
static void grain_ask(uint32_t *grains, uintptr_t lo, uintptr_t hi)
{
	for (lo &= ~(uintptr_t)(OMPP_GRAIN_BYTES - 1); lo < hi; lo += OMPP_GRAIN_BYTES)
		OMPP_STORE(&grains[lo >> OMPP_GRAIN_BITS & (OMPP_GRAINS - 1)], (uint32_t)OMPP_GRAIN_ASK);
}

/* Returns the end of the page of an address, or hi when that comes first. */
static uintptr_t page_end(uintptr_t address, uintptr_t hi)
{
	uintptr_t end = (address | (((uintptr_t)1 << OMPP_PAGE_BITS) - 1)) + 1;

	return end < hi ? end : hi;
}

/* Ends the copy of words of a page, behind a change of them.  Who makes a copy looks at the words again behind that. */
static void end_copy(const uint32_t *grains)
{
	struct ompp_grain_segment *copy;

	ompp_fence();
	copy = __atomic_load_n(ompp_grains_copy(grains), __ATOMIC_ACQUIRE);
	if (copy)
		ompp_grains_end(copy);
}

int ompp_grains_put(uintptr_t address, size_t n_bytes, uint32_t row, int has_words)
{
	uintptr_t hi = address + n_bytes, at;
	uint32_t *grains;

	ompp_assert(!(row & OMPP_GRAIN_FLAGS));
	for (at = address; at < hi; at = page_end(at, hi))
		if (!open_page(at))
			return -1;
	for (at = address; at < hi; at = page_end(at, hi)) {
		grains = open_page(at);
		if (!row || address & (OMPP_GRAIN_BYTES - 1))
			grain_ask(grains, at, page_end(at, hi));
		else
			grain_set(grains, at, page_end(at, hi), row | OMPP_GRAIN_OWN);
		end_copy(grains);
	}
	at = has_words && row && !(address & (OMPP_GRAIN_BYTES - 1)) ? grain_behind(address, n_bytes) : 0;
	grains = at ? open_page(at) : NULL;
	if (grains) {
		set_behind(grains, at, row);
		end_copy(grains);
	}
	return 0;
}

void ompp_grains_take(uintptr_t address, size_t n_bytes)
{
	uintptr_t hi = address + n_bytes, at;
	uint32_t *grains;

	if (address & (OMPP_GRAIN_BYTES - 1))
		return;
	for (at = address; at < hi; at = page_end(at, hi)) {
		grains = (uint32_t *)(uintptr_t)ompp_grains_of(at);
		if (!grains)
			continue;
		grain_set(grains, at, page_end(at, hi), 0);
		end_copy(grains);
	}
	at = grain_behind(address, n_bytes);
	grains = at ? (uint32_t *)(uintptr_t)ompp_grains_of(at) : NULL;
	if (grains) {
		set_behind(grains, at, 0);
		end_copy(grains);
	}
}
