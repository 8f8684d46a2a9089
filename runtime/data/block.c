/*
 * Block: see block.h.  The root has an entry for each GiB of address space, a branch one for each leaf of that GiB, and
 * a leaf is for the blocks of one page.  Blocks begin at multiples of 16 bytes, or, when they are small, of 8 bytes;
 * the latter have separate leaves, as most allocators never return such addresses.
 */
#define _GNU_SOURCE
#include "runtime/data/block.h"

#include <stdatomic.h>

#include "runtime/base/check.h"
#include "runtime/base/space.h"
#include "runtime/base/sys.h"
#include "runtime/data/page.h"

enum {
	ROOT_BITS = OMPP_ROOT_BITS,
	GIB_BITS = OMPP_PAGE_BITS + 2 * OMPP_BRANCH_BITS,
	N_LEAVES = 2 << 2 * OMPP_BRANCH_BITS, /* of a branch, two for each page */
	WORDS = 1 << (OMPP_PAGE_BITS - 4),
	LEAF_BYTES = WORDS * 8,
	CHUNK_BYTES = 1 << 20,
	SIZE_BITS = 48, /* of a word, below the site; sites have fewer than 16 bits */

	/* The size of a block with a time has fewer bits; the time stands above it, and the highest bit says so. */
	SMALL_BITS = 16,
	TIME_BITS = SIZE_BITS - 1 - SMALL_BITS,
	TIME_SHIFT = 18
};

typedef _Atomic(uint64_t) word;

_Atomic uint64_t ompp_n_lost_blocks;

static void *root; /* _Atomic(word **)[1 << ROOT_BITS] */
static _Atomic size_t left_bytes;
static _Atomic(uintptr_t) chunk; /* where the next leaf is made; the chunk ends at the next multiple of CHUNK_BYTES */

void ompp_blocks_start(size_t most_bytes)
{
	atomic_store(&left_bytes, most_bytes);
}

int ompp_blocks_may_take(size_t n_bytes)
{
	size_t left = atomic_load_explicit(&left_bytes, memory_order_relaxed);

	while (left >= n_bytes)
		if (atomic_compare_exchange_weak(&left_bytes, &left, left - n_bytes))
			return 1;
	return 0;
}

/* Returns a new leaf; NULL when the table may not become larger. */
static word *new_leaf(void)
{
	uintptr_t at = atomic_load_explicit(&chunk, memory_order_relaxed), fresh, start;

	for (;;) {
		ompp_assert(!(at & (LEAF_BYTES - 1)));
		if (at & (CHUNK_BYTES - 1)) {
			if (atomic_compare_exchange_weak(&chunk, &at, at + LEAF_BYTES))
				return (word *)at;
			continue;
		}
		/* The first leaf of a chunk is left out, as a chunk's start stands for "full". */
		fresh = ompp_blocks_may_take(CHUNK_BYTES) ? (uintptr_t)ompp_space_reserve(2 * CHUNK_BYTES) : 0;
		if (!fresh)
			return NULL;
		start = (fresh + CHUNK_BYTES - 1) & ~(uintptr_t)(CHUNK_BYTES - 1);
		if (atomic_compare_exchange_strong(&chunk, &at, start + 2 * LEAF_BYTES))
			return (word *)(start + LEAF_BYTES);
		ompp_sys_munmap((void *)fresh, 2 * CHUNK_BYTES); /* another thread was first */
		atomic_fetch_add_explicit(&left_bytes, CHUNK_BYTES, memory_order_relaxed);
	}
}

/* Returns the word for blocks that begin at the address; NULL when there is none.
 * make: 1 when it is to be made then */
static word *word_of(uintptr_t address, int make)
{
	size_t i = address >> GIB_BITS, page = address >> OMPP_PAGE_BITS & (N_LEAVES / 2 - 1);
	_Atomic(uintptr_t) *roots, *entry;
	uintptr_t branch, leaf, none = 0;

	if (i >= (size_t)1 << ROOT_BITS)
		return NULL;
	roots = ompp_space_table(&root, sizeof(*roots) << ROOT_BITS);
	if (!roots)
		return NULL;
	branch = atomic_load_explicit(&roots[i], memory_order_acquire);
	if (!branch && make) {
		branch = (uintptr_t)ompp_space_reserve(N_LEAVES * sizeof(*entry));
		if (branch && !atomic_compare_exchange_strong(&roots[i], &none, branch))
			branch = none; /* another thread was first */
	}
	if (!branch)
		return NULL;
	entry = (_Atomic(uintptr_t) *)branch + 2 * page + (address >> 3 & 1);
	leaf = atomic_load_explicit(entry, memory_order_acquire);
	if (!leaf && make) {
		none = 0;
		leaf = (uintptr_t)new_leaf();
		if (leaf && !atomic_compare_exchange_strong(entry, &none, leaf))
			leaf = none; /* ours is lost, once */
	}
	ompp_assert(!(leaf & (LEAF_BYTES - 1)));
	return leaf ? (word *)leaf + (address >> 4 & (WORDS - 1)) : NULL;
}

static uint64_t block_lowest(uint64_t value, int n_bits)
{
	return value & (((uint64_t)1 << n_bits) - 1);
}

uint32_t ompp_block_time(uint64_t stamp)
{
	uint64_t time = block_lowest((stamp >> TIME_SHIFT) + 1, TIME_BITS);

	return time ? (uint32_t)time : 1;
}

int ompp_block_is_older(struct ompp_block block, uint64_t stamp)
{
	return block.began && block_lowest((stamp >> TIME_SHIFT) - block.began, TIME_BITS) < (uint64_t)1
	                                                                                             << (TIME_BITS - 1);
}

static struct ompp_block block_of(uint64_t value)
{
	struct ompp_block block = { .site = (uint32_t)(value >> SIZE_BITS) };

	if (value >> (SIZE_BITS - 1) & 1) {
		block.began = (uint32_t)block_lowest(value >> SMALL_BITS, TIME_BITS);
		block.n_bytes = block_lowest(value, SMALL_BITS);
	} else {
		block.n_bytes = block_lowest(value, SIZE_BITS);
	}
	return block;
}

static uint64_t word_for(struct ompp_block block)
{
	uint64_t value = (uint64_t)block.site << SIZE_BITS | block.n_bytes;

	ompp_assert(!(block.site >> (64 - SIZE_BITS)) && !((uint64_t)block.n_bytes >> (SIZE_BITS - 1)));
	ompp_assert(!((uint64_t)block.began >> TIME_BITS));
	if (block.began && !(block.n_bytes >> SMALL_BITS))
		value |= (uint64_t)1 << (SIZE_BITS - 1) | (uint64_t)block.began << SMALL_BITS;
	return value;
}

struct ompp_block ompp_block_put(uintptr_t address, struct ompp_block block)
{
	word *w = word_of(address, 1);

	ompp_assert(block.site != OMPP_NO_SITE);
	if (!w) {
		atomic_fetch_add_explicit(&ompp_n_lost_blocks, 1, memory_order_relaxed);
		return block_of(0);
	}
	return block_of(atomic_exchange_explicit(w, word_for(block), memory_order_relaxed));
}

struct ompp_block ompp_block_take(uintptr_t address)
{
	word *w = word_of(address, 0);

	if (!w || !atomic_load_explicit(w, memory_order_relaxed))
		return block_of(0);
	return block_of(atomic_exchange_explicit(w, 0, memory_order_relaxed));
}

void ompp_block_lose(uintptr_t address)
{
	ompp_block_take(address);
	atomic_fetch_add_explicit(&ompp_n_lost_blocks, 1, memory_order_relaxed);
}

struct ompp_block ompp_block_at(uintptr_t address)
{
	word *w = word_of(address, 0);

	return block_of(w ? atomic_load_explicit(w, memory_order_relaxed) : 0);
}

/* Returns the last block that begins in a leaf at one of the words from 0 to `last`; sets the place of its word. */
static uint64_t last_in(const word *leaf, size_t last, size_t *place)
{
	for (size_t i = last + 1; leaf && i-- > 0;) {
		uint64_t value = atomic_load_explicit(&leaf[i], memory_order_relaxed);

		if (value) {
			*place = i;
			return value;
		}
	}
	return 0;
}

/* Returns the block that holds the address, and where it begins; where there is none, its site is OMPP_NO_SITE and
 * *start is 0. */
static struct ompp_block block_find(uintptr_t address, size_t most_bytes, uintptr_t *start)
{
	uintptr_t page = address & ~(uintptr_t)(OMPP_PAGE_BYTES - 1);
	uintptr_t least = address > most_bytes ? address - most_bytes : 0;
	size_t offset = address - page;
	uint64_t value = 0;

	for (;; page -= OMPP_PAGE_BYTES, offset = OMPP_PAGE_BYTES - 1) {
		word *even = word_of(page, 0), *odd = word_of(page + 8, 0);
		size_t i = 0, k = 0;
		uint64_t a = last_in(even, offset >> 4, &i), b = offset < 8 ? 0 : last_in(odd, (offset - 8) >> 4, &k);

		if (a || b) {
			int is_odd = b && (!a || k >= i);

			value = is_odd ? b : a;
			*start = page + (is_odd ? 16 * k + 8 : 16 * i);
			ompp_assert(*start <= address);
			break;
		}
		if (page <= least)
			break;
	}
	if (value && address - *start < block_of(value).n_bytes)
		return block_of(value);
	*start = 0;
	return block_of(0);
}

struct ompp_block ompp_block_holding(uintptr_t address, size_t most_bytes)
{
	uintptr_t start = 0;

	return block_find(address, most_bytes, &start);
}

uintptr_t ompp_block_start(uintptr_t address, size_t most_bytes)
{
	uintptr_t start = 0;

	block_find(address, most_bytes, &start);
	return start;
}
