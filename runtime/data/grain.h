/*
 * Grain: 16 bytes of memory, and the row of the small block there.
 *
 * Memory without a name may have small blocks in it (OMPP_ROW_BLOCKS in tally.h), which have no segments: they would be
 * too many.  In their place a table has a word for each grain of the pages in which there are such blocks, so that an
 * access is counted without looking for its block.  A word is the row of the block with how many bytes of the grain are
 * in it, from its first byte on; 0 where there is no block; or OMPP_GRAIN_ASK where data/block.h has to be asked, as
 * the grain has parts of two blocks, or the block's row is not known.
 *
 * Words say nothing about memory that has a name: who reads them has found a segment with OMPP_ROW_BLOCKS.
 *
 * All calls are lock-free and keep errno, so that any thread may make them, also in a signal handler.
 */
#ifndef OMPP_DATA_GRAIN_H
#define OMPP_DATA_GRAIN_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/relaxed.h"
#include "runtime/data/tally.h"

enum {
	OMPP_GRAIN_BITS = 4,
	OMPP_GRAIN_BYTES = 1 << OMPP_GRAIN_BITS,
	OMPP_GRAINS = 1 << (OMPP_PAGE_BITS - OMPP_GRAIN_BITS), /* of a page */
	OMPP_GRAIN_FILL = 31,                                  /* how many of its bytes are in the block, as a mask */
	OMPP_GRAIN_ASK = 32
};
_Static_assert(sizeof(struct ompp_tally) % 64 == 0 && OMPP_N_SLOTS * 8 % 64 == 0 && OMPP_N_MODEL_SLOTS * 8 % 64 == 0,
               "a row leaves six bits of a word");

typedef _Atomic(uintptr_t) ompp_grain_page; /* the address of a page's words, or 0 */
extern ompp_grain_page *ompp_access_grains; /* [1 << OMPP_ROOT_BITS], by GiB: tables by page; NULL without blocks */

/* Returns the words of the page of an address; NULL when no small block was ever there. */
static inline const uint32_t *ompp_grains_of(uintptr_t address)
{
	size_t i = address >> (OMPP_PAGE_BITS + 2 * OMPP_BRANCH_BITS);
	ompp_grain_page *root = __atomic_load_n(&ompp_access_grains, __ATOMIC_ACQUIRE);
	uintptr_t branch;

	if (__builtin_expect(!root || i >= (size_t)1 << OMPP_ROOT_BITS, 0))
		return NULL;
	branch = __atomic_load_n((uintptr_t *)(void *)&root[i], __ATOMIC_ACQUIRE);
	if (!branch)
		return NULL;
	i = address >> OMPP_PAGE_BITS & ((1 << 2 * OMPP_BRANCH_BITS) - 1);
	return (const uint32_t *)__atomic_load_n((uintptr_t *)branch + i, __ATOMIC_ACQUIRE);
}

/* The own segment of a page with OMPP_ROW_PAGE.  It begins at its end while the page has a name. */
struct ompp_grain_segment {
	struct ompp_segment segment;
	const uint32_t *grains; /* what ompp_grains_of() gave last, which does not change but from NULL */
};

/* Returns the words for an address in a segment with OMPP_ROW_BLOCKS. */
static inline const uint32_t *ompp_grains_in(const struct ompp_segment *s, uintptr_t address)
{
	struct ompp_grain_segment *own = (struct ompp_grain_segment *)(uintptr_t)s;
	const uint32_t *grains;

	if (!(s->row & OMPP_ROW_PAGE))
		return ompp_grains_of(address);
	grains = OMPP_LOAD(&own->grains);
	if (__builtin_expect(!grains, 0)) {
		grains = ompp_grains_of(address);
		if (grains)
			OMPP_STORE(&own->grains, grains);
	}
	return grains;
}

/* Returns the row of the byte at an address; 0 when block.h has to be asked, or in the tail of a grain whose first
 * bytes are in a block.
 * grains: of its page, or NULL
 * other: the row of memory without a block */
static inline uint32_t ompp_grain_row(const uint32_t *grains, uintptr_t address, uint32_t other)
{
	uint32_t word;

	if (!grains)
		return other;
	word = OMPP_LOAD(&grains[address >> OMPP_GRAIN_BITS & (OMPP_GRAINS - 1)]);
	if (!word)
		return other;
	return (address & (OMPP_GRAIN_BYTES - 1)) < (word & OMPP_GRAIN_FILL) ? word & ~(uint32_t)OMPP_GRAIN_FILL : 0;
}

/* Two words at once. */
typedef uint64_t __attribute__((may_alias)) ompp_two_grains;

static inline int ompp_two_grains_are(const uint32_t *grains, uint64_t two)
{
	return OMPP_LOAD((const ompp_two_grains *)(const void *)grains) == two;
}

/* Returns the first grain from i on, but at most `end`, whose word is another one. */
static inline unsigned int ompp_grain_after(const uint32_t *grains, unsigned int i, unsigned int end, uint32_t word)
{
	uint64_t two = (uint64_t)word << 32 | word;

	if (i & 1 && i < end && OMPP_LOAD(&grains[i]) == word)
		i++;
	while (!(i & 1) && i + 4 <= end && ompp_two_grains_are(grains + i, two) &&
	       ompp_two_grains_are(grains + i + 2, two))
		i += 4;
	while (!(i & 1) && i + 2 <= end && ompp_two_grains_are(grains + i, two))
		i += 2;
	while (i < end && OMPP_LOAD(&grains[i]) == word)
		i++;
	return i;
}

/* Returns the first grain of those before i, but from `first` on, that all have this word. */
static inline unsigned int ompp_grain_before(const uint32_t *grains, unsigned int i, unsigned int first, uint32_t word)
{
	uint64_t two = (uint64_t)word << 32 | word;

	if (i & 1 && i > first && OMPP_LOAD(&grains[i - 1]) == word)
		i--;
	while (!(i & 1) && i >= first + 2 && ompp_two_grains_are(grains + i - 2, two))
		i -= 2;
	while (i > first && OMPP_LOAD(&grains[i - 1]) == word)
		i--;
	return i;
}

/* Finds bytes around an address that are all in blocks with one row, or in none, and in its page.  Returns their row; 0
 * when it finds none.
 * grains, other: as above
 * *lo, *hi: they are within these bounds; then their own, hi is not included
 * It is here, as the hooks need it in the program, which finds no functions of libompp's that are not hooks. */
static __attribute__((noinline, unused)) uint32_t ompp_grain_bounds(const uint32_t *grains, uintptr_t address,
                                                                    uint32_t other, uintptr_t *lo, uintptr_t *hi)
{
	const uintptr_t page = address & ~(((uintptr_t)1 << OMPP_PAGE_BITS) - 1);
	unsigned int i = (unsigned int)(address - page) >> OMPP_GRAIN_BITS, first, end = OMPP_GRAINS, fill;
	uint32_t word = grains ? OMPP_LOAD(&grains[i]) : 0, row = word & ~(uint32_t)OMPP_GRAIN_FILL;
	uintptr_t from = page, upto = page + ((uintptr_t)1 << OMPP_PAGE_BITS);

	fill = word ? word & OMPP_GRAIN_FILL : OMPP_GRAIN_BYTES;
	if ((address & (OMPP_GRAIN_BYTES - 1)) >= fill)
		return 0;
	if (grains) {
		first = ompp_grain_before(grains, i, 0, word ? row | OMPP_GRAIN_BYTES : 0);
		from = page + ((uintptr_t)first << OMPP_GRAIN_BITS);
		if (fill == OMPP_GRAIN_BYTES) {
			end = ompp_grain_after(grains, i + 1, OMPP_GRAINS, word);
			upto = page + ((uintptr_t)end << OMPP_GRAIN_BITS);
			word = word && end < OMPP_GRAINS ? OMPP_LOAD(&grains[end]) : 0;
			if (word && (word & ~(uint32_t)OMPP_GRAIN_FILL) == row)
				upto += word & OMPP_GRAIN_FILL;
		} else {
			upto = page + ((uintptr_t)i << OMPP_GRAIN_BITS) + fill;
		}
	}
	*lo = from > *lo ? from : *lo;
	*hi = upto < *hi ? upto : *hi;
	return row ? row : other;
}

/* Returns the row of bytes from one to another when they are in one page, and all in blocks with one row, or all in
 * none; else 0. */
static inline uint32_t ompp_grain_row_of(const uint32_t *grains, uintptr_t first, uintptr_t last, uint32_t other)
{
	unsigned int i = (unsigned int)(first >> OMPP_GRAIN_BITS) & (OMPP_GRAINS - 1);
	unsigned int end = (unsigned int)(last >> OMPP_GRAIN_BITS) & (OMPP_GRAINS - 1);
	uint32_t row = ompp_grain_row(grains, first, other);

	if ((first ^ last) >> OMPP_PAGE_BITS || ompp_grain_row(grains, last, other) != row)
		return 0;
	/* up to the last one, all grains are full, or all are empty */
	if (!grains || ompp_grain_after(grains, i, end, row == other ? 0 : row | OMPP_GRAIN_BYTES) == end)
		return row;
	return 0;
}

/* Lets the grains of a new block have its row.  Returns 0, or -1 when there is no room, and then none has.
 * row: 0 when it is not known */
int ompp_grains_put(uintptr_t address, size_t n_bytes, uint32_t row);

/* Ends a block of ompp_grains_put(). */
void ompp_grains_take(uintptr_t address, size_t n_bytes);

#endif
