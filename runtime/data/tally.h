/*
 * Tally: the counts of one thread at one call-tree node, by cover.  The access hooks add to it.
 *
 * The hot path is: find the way of the address's page; if its segment contains the whole access, add 1 to one word of
 * the segment's row.  A way, once filled, stays valid as long as its segment; when the segment ends, its limits become
 * 0, so that no way with it matches any more.  Each word is written only by its thread; an addition is one instruction,
 * so that a signal handler's additions are not lost.
 *
 * When a tally gets too small, a larger one is put before it in the list; the older ones keep their counts, and an
 * interrupted hook may still add to them.
 */
#ifndef OMPP_DATA_TALLY_H
#define OMPP_DATA_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/relaxed.h"
#include "runtime/terms/access_fields.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { OMPP_WAYS = 256, OMPP_SIZES = 5 };

/* A hook's load of a word that a writer may change concurrently.  It is not atomic, so that compilers can make it an
 * operand of another instruction; for the thread sanitizer it is atomic. */
#if defined(__SANITIZE_THREAD__)
#define OMPP_READ(p) OMPP_LOAD(p)
#else
#define OMPP_READ(p) (*(p))
#endif

/* The words of a row.  Those that an access needs lie in one cache line. */
enum ompp_slot {
	OMPP_SLOT_LOAD, /* loads of 1, 2, 4, 8, 16 bytes */
	OMPP_SLOT_LOAD_EXTENT = OMPP_SLOT_LOAD +
	                        OMPP_SIZES, /* the extent of the loads: first byte, and number of bytes */
	OMPP_SLOT_STORE = 8,                /* stores, and their extent */
	OMPP_SLOT_STORE_EXTENT = OMPP_SLOT_STORE + OMPP_SIZES,
	OMPP_SLOT_BLOCK_LOAD = 16,
	OMPP_SLOT_BLOCK_LOAD_BYTES, /* other sizes and block copies */
	OMPP_SLOT_BLOCK_STORE,
	OMPP_SLOT_BLOCK_STORE_BYTES,
	OMPP_SLOT_ATOMIC,
	OMPP_SLOT_ATOMIC_BYTES,
	OMPP_SLOT_NEAR, /* with the cache model: steps from one miss to the next (below) of less than OMPP_NEAR_BYTES */
	OMPP_N_SLOTS = 24,
	/* Rows have these slots only with the cache model. */
	OMPP_SLOT_MISS = OMPP_N_SLOTS, /* modelled misses, one per level */
	/* The step from one access of at most 16 bytes that missed the first level to the next one: a candidate for the
	 * most frequent step, found by majority vote (a miss with another step removes a vote), and the number of
	 * misses with it since it was chosen. */
	OMPP_SLOT_LAST = OMPP_SLOT_MISS + 3,
	OMPP_SLOT_STEP,
	OMPP_SLOT_VOTES,
	OMPP_SLOT_STEPS,
	OMPP_SLOT_FOREIGN, /* first-level misses in pages that another thread wrote first */
	OMPP_N_MODEL_SLOTS,
	OMPP_SLOT_REUSE = OMPP_N_MODEL_SLOTS /* reuses by half and bucket (data/reuse.h), where these are looked for */
};

/* Flags in the row of a segment; a segment with flags matches no way: it is a container's own bytes (WATCHED); or
 * memory without a name that may contain small blocks (BLOCKS, grain.h), and possibly a page's own segment (PAGE,
 * page.h). */
enum { OMPP_ROW_WATCHED = 1, OMPP_ROW_BLOCKS = 2, OMPP_ROW_PAGE = 4, OMPP_ROW_FLAGS = 7 };

/* A piece of memory with one cover.  Its cover and its row are constant.  The limits of one with flags are always 0;
 * lo and hi change only while the limits are 0 (segment.h). */
struct ompp_segment {
	uintptr_t lo;
	uintptr_t limit[OMPP_SIZES]; /* an access of 1 << i bytes at lo + x is inside if x < limit[i]; 0 when ended */
	uint32_t row;                /* bytes from the start of a tally to the cover's row, and flags */
	uint32_t cover;
	uintptr_t hi; /* not included */
};

/* The table of pages, for 48 bits of address, has three levels: the root has an entry for each GiB, a branch one for
 * each 2 MiB, and a leaf one for each page.  The entry of a page is a segment, when this contains the whole page; a
 * list, when several segments share the page (bit 0 set; bit 1, too, when the list's head has no room for all); or 0,
 * when the page was never named nor accessed.  The first cache line of a list answers most lookups.  An entry of an
 * upper level with bit 0 set is a segment that contains all of its memory, so that huge ranges cost little. */
enum {
	OMPP_PAGE_BITS = 12,
	OMPP_BRANCH_BITS = 9,
	OMPP_ROOT_BITS = 18,
	OMPP_LIST_HEAD = 16,
	OMPP_PAGE_TAGS = 3,
	OMPP_N_BRANCHES = 1 << OMPP_BRANCH_BITS
};

struct ompp_mixed;

struct ompp_list {
	int16_t start[OMPP_LIST_HEAD]; /* offsets in the page, ascending from 0; INT16_MAX beyond n */
	uint32_t row[OMPP_LIST_HEAD];  /* the segments' */
	uint32_t n;                    /* with OMPP_LIST_HEAD or more all are in `entry` */
	uint32_t state;                /* this and the rest are of segment.c */
	struct ompp_list *next, *after;
	struct ompp_mixed *mixed; /* mixed.h; NULL until the page has one */
	struct {
		uint64_t start;
		const struct ompp_segment *segment;
	} entry[];
} __attribute__((aligned(64)));

typedef _Atomic(uintptr_t) ompp_page;
struct ompp_branch {
	ompp_page now[OMPP_N_BRANCHES];
	ompp_page kept[OMPP_N_BRANCHES]; /* earlier values of `now`, for reuse; readers do not look here */
	_Atomic int is_met;              /* 1 when pages below have segments of their own */
};
extern ompp_page *ompp_access_root; /* [1 << OMPP_ROOT_BITS]; NULL until a page is accessed or named */

struct ompp_tally {
	const struct ompp_segment *way[OMPP_WAYS];
	uint32_t row_end;  /* rows from here on are outside this tally; 0 sends every access to the slow path */
	uint32_t n_misses; /* way misses, for lists */
	uint32_t n_rows;
	uint32_t seen_end; /* the same for the slow path: row_end without the special 0 */
	struct ompp_tally *older;
	const void *node; /* its call-graph node */
} __attribute__((aligned(64)));

struct ompp_front;
struct ompp_known;
struct ompp_sharing;

/* Code that counts many accesses at once is slower than hooks for a loop nest with only a few accesses per execution.
 * So it counts how many consecutive executions of a nest were short (adapters/nest_gain.h).  Below OMPP_NEST_TRIES, it
 * runs the version of the nest that counts by runs and at sites; from there on the one with hooks, which goes on
 * counting until the number, which has eight bits, wraps to 0.  A nest has a hash of OMPP_NEST_BITS: the lowest bits
 * are its index in a per-thread table, whose entry holds the other bits above the number.  If these are another nest's,
 * the nest counts as not short. */
enum { OMPP_NEST_TRIES = 16, OMPP_N_NESTS = 64, OMPP_NEST_BITS = 14 };

/* The per-thread data of the hooks, in one struct so that one lookup in the GOT finds all of it.  Programs contain the
 * hooks of the kinst that built them, so a structure that hooks reach from here keeps its layout and meaning.  One that
 * may be NULL can get a new member at the end of this struct, while the old member stays NULL: earlier hooks then take
 * the slow path.  tests/package/abi.sh compares the layouts with those of the last release. */
struct ompp_access_own {
	struct ompp_tally *tally; /* the current tally; follows the innermost frame (core/frame.h) */
	int64_t countdown; /* the number of accesses before the next sampled one; below 0, the current access is sampled
	                      (access/access_sample.h) */
	struct ompp_front *front; /* the fronts of its cache model (data/front.h), or NULL */
	struct ompp_known *known; /* the pages that it used recently (data/known.h), or NULL */
	int64_t gain;             /* what the execution of a nest saves compared with hooks, in halves of a hook */
	uint16_t n_short[OMPP_N_NESTS]; /* see OMPP_NEST_TRIES */
	size_t in_nest;                 /* 1 in a nest without pauses, whose runs are counted before or after it */
	const void *not_sharing;      /* NULL: hooks of earlier builds, which know another layout, take the slow path */
	struct ompp_sharing *sharing; /* the lines that it wrote recently (data/sharing.h), or NULL */
};
/* the compiler plug-ins rely on these offsets, with `gain` just before n_short and `in_nest` after it */
enum { OMPP_OWN_N_SHORT = 40, OMPP_OWN_IN_NEST = OMPP_OWN_N_SHORT + 2 * OMPP_N_NESTS };
_Static_assert(offsetof(struct ompp_access_own, in_nest) == OMPP_OWN_IN_NEST, "the plug-ins' offset");
_Static_assert(offsetof(struct ompp_access_own, n_short) == OMPP_OWN_N_SHORT, "the plug-ins' offset");
extern __thread struct ompp_access_own ompp_access_own __asm__("ompp_access_tally")
	__attribute__((tls_model("initial-exec")));
#define ompp_access_tally     ompp_access_own.tally
#define ompp_access_countdown ompp_access_own.countdown
#define ompp_access_front     ompp_access_own.front
#define ompp_access_known     ompp_access_own.known
#define ompp_access_gain      ompp_access_own.gain
#define ompp_access_n_short   ompp_access_own.n_short
#define ompp_access_in_nest   ompp_access_own.in_nest
#define ompp_access_sharing   ompp_access_own.sharing
#define OMPP_NOT_DRAWN        (INT64_MIN / 2) /* a thread's countdown starts here; below it, no gap was drawn yet */

/* Placeholders for no tally and no segment: no access matches. */
extern struct ompp_tally ompp_no_tally;
extern const struct ompp_segment ompp_no_segment;

/* Returns 1 when an access of 1 << size bytes is in the segment. */
static inline int ompp_segment_holds(const struct ompp_segment *s, uintptr_t address, unsigned int size)
{
	return address - OMPP_READ(&s->lo) < OMPP_READ(&s->limit[size]);
}

/* Returns 1 when an access of n_bytes, at least 1, is in the segment. */
static inline int ompp_segment_has(const struct ompp_segment *s, uintptr_t address, size_t n_bytes)
{
	return ompp_segment_holds(s, address, 0) && ompp_segment_holds(s, address + (n_bytes - 1), 0);
}

/* Returns 1 when an access of 1 << size bytes is in a segment with flags, which matches no way. */
static inline int ompp_segment_spans(const struct ompp_segment *s, uintptr_t address, unsigned int size)
{
	uintptr_t lo = OMPP_LOAD(&s->lo), n_bytes = OMPP_LOAD(&s->hi) - lo;

	return address - lo < n_bytes && n_bytes - (address - lo) >= (uintptr_t)1 << size;
}

static inline unsigned int ompp_way(uintptr_t address)
{
	return (uint32_t)(address >> 12) * 0x9E3779B1u >> 24;
}

/* Returns the entry of the table of pages for an address. */
static inline uintptr_t ompp_page_of(uintptr_t address)
{
	size_t i = address >> (OMPP_PAGE_BITS + 2 * OMPP_BRANCH_BITS);
	ompp_page *root = __atomic_load_n(&ompp_access_root, __ATOMIC_ACQUIRE);
	uintptr_t value;
	int shift;

	if (__builtin_expect(i >= (size_t)1 << OMPP_ROOT_BITS, 0) || __builtin_expect(!root, 0))
		return 0;
	value = __atomic_load_n((uintptr_t *)(void *)&root[i], __ATOMIC_ACQUIRE);
	for (shift = OMPP_PAGE_BITS + OMPP_BRANCH_BITS; shift >= OMPP_PAGE_BITS; shift -= OMPP_BRANCH_BITS) {
		const struct ompp_branch *branch = (const struct ompp_branch *)value;

		if (__builtin_expect(!value || value & 1, 0))
			return value & ~(uintptr_t)1;
		value = __atomic_load_n((const uintptr_t *)(const void *)&branch
		                                ->now[address >> shift & (OMPP_N_BRANCHES - 1)],
		                        __ATOMIC_ACQUIRE);
	}
	return value;
}

/* Returns the index of the entry of a list that contains the offset.  The list has fewer than OMPP_LIST_HEAD entries.
 * No branches. */
static inline unsigned int ompp_list_find(const struct ompp_list *list, unsigned int offset)
{
#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
	const __m128i *starts = (const __m128i *)(const void *)list->start;
	__m128i at = _mm_set1_epi16((short)offset);
	__m128i above = _mm_packs_epi16(_mm_cmpgt_epi16(_mm_load_si128(starts), at),
	                                _mm_cmpgt_epi16(_mm_load_si128(starts + 1), at));

	return (unsigned int)__builtin_ctz((unsigned int)_mm_movemask_epi8(above)) - 1;
#else
	unsigned int i, n = 0;

	for (i = 1; i < OMPP_LIST_HEAD; i++)
		n += OMPP_LOAD(&list->start[i]) <= (int)offset;
	return n;
#endif
}

/* Returns the word of a slot. */
static inline uint64_t *ompp_tally_word(struct ompp_tally *tally, uint32_t row, unsigned int slot)
{
	return (uint64_t *)(void *)((char *)tally + row) + slot;
}

static inline void ompp_tally_add(uint64_t *word, uint64_t n)
{
#if defined(__x86_64__)
	__asm__ volatile("addq %1, %0" : "+m"(*word) : "er"(n) : "cc");
#else
	*word += n;
#endif
}

enum { OMPP_EXTENT_BYTES = 64 }; /* extents are whole cache lines, so that a walk rarely extends them */

/* Extends an extent to these bytes.  The address is the first parameter, as in hooks, so that it stays in its
 * register. */
static __attribute__((noinline, unused)) void ompp_tally_extend(uintptr_t address, uint64_t *extent, size_t n_bytes)
{
	uintptr_t lo = address & ~(uintptr_t)(OMPP_EXTENT_BYTES - 1),
		  hi = (address + n_bytes - 1) | (OMPP_EXTENT_BYTES - 1);
	uintptr_t was_lo = extent[0], was_hi = was_lo + extent[1] - 1;

	if (!extent[1]) {
		was_lo = lo;
		was_hi = hi;
	}
	lo = lo < was_lo ? lo : was_lo;
	hi = hi > was_hi ? hi : was_hi;
	__atomic_store_n(&extent[0], lo, __ATOMIC_RELAXED);
	__atomic_store_n(&extent[1], hi - lo + 1, __ATOMIC_RELAXED);
}

/* Counts an access of 1 << size bytes in a row.
 * words: of the slot, OMPP_SLOT_LOAD or OMPP_SLOT_STORE */
static inline void ompp_tally_count_in(uint64_t *words, uintptr_t address, unsigned int size)
{
	ompp_tally_add(words + size, 1);
	if (__builtin_expect(address - words[OMPP_SIZES] >= words[OMPP_SIZES + 1], 0))
		ompp_tally_extend(address, words + OMPP_SIZES, (size_t)1 << size);
}

static inline void ompp_tally_count(struct ompp_tally *tally, uint32_t row, uintptr_t address, unsigned int size,
                                    unsigned int slot)
{
	ompp_tally_count_in(ompp_tally_word(tally, row, slot), address, size);
}

/* Counts n accesses of 1 << size bytes between lo and hi, their lowest and their highest address.
 * words: of the slot */
static inline void ompp_tally_count_run(uint64_t *words, uintptr_t lo, uintptr_t hi, size_t n, unsigned int size)
{
	uint64_t *extent = words + OMPP_SIZES;

	ompp_tally_add(words + size, n);
	if (__builtin_expect(lo - extent[0] >= extent[1] || hi - extent[0] >= extent[1], 0))
		ompp_tally_extend(lo, extent, hi - lo + ((size_t)1 << size));
}

/* Counts n accesses of n_bytes each in a row, which are between lo and hi, the lowest and the highest address of all
 * their bytes; the slot is OMPP_SLOT_BLOCK_LOAD, OMPP_SLOT_BLOCK_STORE or OMPP_SLOT_ATOMIC. */
static inline void ompp_tally_count_blocks(struct ompp_tally *tally, uint32_t row, uintptr_t lo, uintptr_t hi, size_t n,
                                           size_t n_bytes, unsigned int slot)
{
	uint64_t *words = ompp_tally_word(tally, row, 0), *extent;

	ompp_tally_add(words + slot, n);
	ompp_tally_add(words + slot + 1, n * n_bytes);
	extent = words + (slot == OMPP_SLOT_BLOCK_LOAD ? OMPP_SLOT_LOAD_EXTENT : OMPP_SLOT_STORE_EXTENT);
	if (__builtin_expect(lo - extent[0] >= extent[1] || hi - extent[0] >= extent[1], 0))
		ompp_tally_extend(lo, extent, hi - lo + 1);
}

static inline void ompp_tally_count_block(struct ompp_tally *tally, uint32_t row, uintptr_t address, size_t n_bytes,
                                          unsigned int slot)
{
	ompp_tally_count_blocks(tally, row, address, address + n_bytes - 1, 1, n_bytes, slot);
}

#endif
