/*
 * Grain: 16 bytes of memory, and the row of the small block there.
 *
 * Memory without a name may contain small blocks (OMPP_ROW_BLOCKS in tally.h), which have no segments: there would be
 * too many.  Instead, a table has a word for each grain of the pages with such blocks, so that an access is counted
 * without searching for its block.  A word is the row of the block, with OMPP_GRAIN_OWN; 0 where there is no block; or
 * OMPP_GRAIN_ASK where block.h has to be asked, as the grain contains parts of two blocks, or the block's row is not
 * known.
 *
 * A block owns all bytes of its last grain.  Where the allocator keeps its own words after each block, as the C library
 * does, it also gets the grain of these words: with the row, but without OMPP_GRAIN_OWN, unless another block is there.
 * Programs access nothing there but what the allocator says is usable; and adjacent blocks of one row, such as the
 * nodes of a list, form one piece of memory.  Hooks, runs and sites all read these words, so that all of them count the
 * same.
 *
 * The words are not valid for named memory: read them only after finding a segment with OMPP_ROW_BLOCKS.
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
	OMPP_GRAIN_OWN = 1,                                    /* some of its bytes are the block's own */
	OMPP_GRAIN_ASK = 2,
	OMPP_GRAIN_FLAGS = 63, /* the bits of a word that are not its row's */
	/* The C library's allocator uses at least OMPP_GRAIN_BEHIND bytes after a block, and at least
	 * OMPP_GRAIN_LEAST_BYTES for the block and these. */
	OMPP_GRAIN_BEHIND = 8,
	OMPP_GRAIN_LEAST_BYTES = 32
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

/* A page's own segment, with OMPP_ROW_PAGE.  While the page has a name, it is empty: lo is its end. */
struct ompp_grain_segment {
	struct ompp_segment segment;
	const uint32_t *grains; /* the result of ompp_grains_of(), which is constant once it is not NULL; until then
	                           ompp_access_no_grains, so that readers need no test */
};
extern const uint32_t ompp_access_no_grains[OMPP_GRAINS]; /* there is no block */

/* After a page's words there is a pointer to a copy of some of them (mixed.h), which ends when they change; or NULL. */
static inline struct ompp_grain_segment **ompp_grains_copy(const uint32_t *grains)
{
	return (struct ompp_grain_segment **)(void *)(uintptr_t)(grains + OMPP_GRAINS);
}

/* Makes a page's own segment, or a copy, empty. */
static inline void ompp_grains_end(struct ompp_grain_segment *own)
{
	__atomic_store_n(&own->segment.lo, OMPP_LOAD(&own->segment.hi), __ATOMIC_RELEASE);
}

/* Returns the words for an address in a segment with OMPP_ROW_BLOCKS; NULL or ompp_access_no_grains when no small block
 * was ever there. */
static inline const uint32_t *ompp_grains_in(const struct ompp_segment *s, uintptr_t address)
{
	struct ompp_grain_segment *own = (struct ompp_grain_segment *)(uintptr_t)s;
	const uint32_t *grains;

	if (!(s->row & OMPP_ROW_PAGE))
		return ompp_grains_of(address);
	grains = OMPP_LOAD(&own->grains);
	if (__builtin_expect(grains == ompp_access_no_grains, 0)) {
		grains = ompp_grains_of(address);
		if (grains)
			OMPP_STORE(&own->grains, grains);
	}
	return grains;
}

/* Returns the row of the byte at an address; 0 when block.h has to be asked.
 * grains: of its page, or NULL
 * other: the row of memory without a block */
static inline uint32_t ompp_grain_row(const uint32_t *grains, uintptr_t address, uint32_t other)
{
	uint32_t word;

	if (!grains)
		return other;
	word = OMPP_LOAD(&grains[address >> OMPP_GRAIN_BITS & (OMPP_GRAINS - 1)]);
	return word ? word & ~(uint32_t)OMPP_GRAIN_FLAGS : other;
}

/* Returns 1 when two words have the same row, or both are 0, or both are OMPP_GRAIN_ASK. */
static inline int ompp_grains_agree(uint32_t a, uint32_t b)
{
	return !((a ^ b) & ~(uint32_t)OMPP_GRAIN_OWN);
}

/* How many grains are compared at once. */
enum { OMPP_FEW_GRAINS = 4, OMPP_MANY_GRAINS = 16 };

/* Returns 1 when n grains (OMPP_FEW_GRAINS or OMPP_MANY_GRAINS) all agree with a word. */
static inline __attribute__((always_inline)) int ompp_grains_are(const uint32_t *grains, int n, uint32_t word)
{
#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
	const __m128i *words = (const __m128i *)(const void *)grains;
	__m128i wanted = _mm_set1_epi32((int)word), differ = _mm_setzero_si128();

	for (int i = 0; i < n / OMPP_FEW_GRAINS; i++)
		differ = _mm_or_si128(differ, _mm_xor_si128(_mm_loadu_si128(words + i), wanted));
	differ = _mm_srli_epi32(differ, 1); /* OMPP_GRAIN_OWN */
	return _mm_movemask_epi8(_mm_cmpeq_epi32(differ, _mm_setzero_si128())) == 0xffff;
#else
	uint32_t differ = 0;

	for (int i = 0; i < n; i++)
		differ |= OMPP_LOAD(&grains[i]) ^ word;
	return !(differ & ~(uint32_t)OMPP_GRAIN_OWN);
#endif
}
_Static_assert(OMPP_GRAIN_OWN == 1, "the bit that is shifted out");

/* Returns the first grain from i on, but at most `end`, that does not agree with a word. */
static inline unsigned int ompp_grain_after(const uint32_t *grains, unsigned int i, unsigned int end, uint32_t word)
{
	while (i + OMPP_MANY_GRAINS <= end && ompp_grains_are(grains + i, OMPP_MANY_GRAINS, word))
		i += OMPP_MANY_GRAINS;
	while (i + OMPP_FEW_GRAINS <= end && ompp_grains_are(grains + i, OMPP_FEW_GRAINS, word))
		i += OMPP_FEW_GRAINS;
	while (i < end && ompp_grains_agree(OMPP_LOAD(&grains[i]), word))
		i++;
	return i;
}

/* Returns the first grain of those before i, but from `first` on, that all agree with a word. */
static inline unsigned int ompp_grain_before(const uint32_t *grains, unsigned int i, unsigned int first, uint32_t word)
{
	while (i >= first + OMPP_MANY_GRAINS && ompp_grains_are(grains + i - OMPP_MANY_GRAINS, OMPP_MANY_GRAINS, word))
		i -= OMPP_MANY_GRAINS;
	while (i >= first + OMPP_FEW_GRAINS && ompp_grains_are(grains + i - OMPP_FEW_GRAINS, OMPP_FEW_GRAINS, word))
		i -= OMPP_FEW_GRAINS;
	while (i > first && ompp_grains_agree(OMPP_LOAD(&grains[i - 1]), word))
		i--;
	return i;
}

/* Finds a range of bytes around an address, in its page, that are all in blocks with one row, or all in none.  Returns
 * their row; 0 when there is no such range.
 * grains, other: as above
 * *lo, *hi: the limits of the search; set to the range found, hi is not included
 * It is defined here, as the hooks linked into the program need it, and libompp exports no functions but hooks. */
static __attribute__((noinline, unused)) uint32_t ompp_grain_bounds(const uint32_t *grains, uintptr_t address,
                                                                    uint32_t other, uintptr_t *lo, uintptr_t *hi)
{
	const uintptr_t page = address & ~(((uintptr_t)1 << OMPP_PAGE_BITS) - 1);
	unsigned int i = (unsigned int)(address - page) >> OMPP_GRAIN_BITS, first = 0, end = OMPP_GRAINS;
	uint32_t word, row = ompp_grain_row(grains, address, other);

	if (!row)
		return 0;
	if (grains) {
		word = OMPP_LOAD(&grains[i]);
		first = ompp_grain_before(grains, i, 0, word);
		end = ompp_grain_after(grains, i + 1, OMPP_GRAINS, word);
	}
	if (page + ((uintptr_t)first << OMPP_GRAIN_BITS) > *lo)
		*lo = page + ((uintptr_t)first << OMPP_GRAIN_BITS);
	if (page + ((uintptr_t)end << OMPP_GRAIN_BITS) < *hi)
		*hi = page + ((uintptr_t)end << OMPP_GRAIN_BITS);
	return row;
}

/* Returns the row of bytes from one to another when they are in one page, and all in blocks with one row, or all in
 * none; else 0. */
static inline uint32_t ompp_grain_row_of(const uint32_t *grains, uintptr_t first, uintptr_t last, uint32_t other)
{
	unsigned int i = (unsigned int)(first >> OMPP_GRAIN_BITS) & (OMPP_GRAINS - 1);
	unsigned int end = (unsigned int)(last >> OMPP_GRAIN_BITS) & (OMPP_GRAINS - 1);
	uint32_t word;

	if ((first ^ last) >> OMPP_PAGE_BITS)
		return 0;
	if (!grains)
		return other;
	word = OMPP_LOAD(&grains[i]);
	if (!ompp_grains_agree(OMPP_LOAD(&grains[end]), word) || ompp_grain_after(grains, i + 1, end, word) < end)
		return 0;
	return word ? word & ~(uint32_t)OMPP_GRAIN_FLAGS : other;
}

/* Sets the grains of a new block to its row.  Returns 0, or -1 without room; then no grain is set.
 * row: 0 when it is not known
 * has_words: 1 when the allocator keeps its own words after the block */
int ompp_grains_put(uintptr_t address, size_t n_bytes, uint32_t row, int has_words);

/* Undoes ompp_grains_put() for a block. */
void ompp_grains_take(uintptr_t address, size_t n_bytes);

#endif
