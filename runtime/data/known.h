/*
 * Known: the pages that a thread has used in the current interval, for hooks (OMPP_PAGES).
 *
 * A hook finds the entry of a page through an array that is indexed by the low bits of the page number and is larger
 * than the number of entries: so consecutive pages never collide, and pages of several objects seldom do.  The hook
 * counts an access itself when the entry matches the page and the row in the tally, and the entry's segment contains
 * the access.  All others are counted by memory/page_use.c, which also fills the array.  An entry that was handed over
 * loses its row, and matches no access from then on.
 *
 * Time advances by ticks (memory/page_ticks.h): each access compares the thread's own tick number with the latest one;
 * if they differ, the access is counted by memory/page_use.c, which ends intervals.  The thread's number is 0 while it
 * works with its entries, so that a signal handler that interrupts it finds no page known.
 *
 * Only its thread writes it, except the members marked as written by the helper thread.
 */
#ifndef OMPP_DATA_KNOWN_H
#define OMPP_DATA_KNOWN_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/relaxed.h"
#include "runtime/data/tally.h"

enum { OMPP_PAGE_PARTS = 64, OMPP_PART_BITS = 6, OMPP_LOGS = 16, OMPP_LOG_ADDRESSES = 128 };

struct ompp_access_site;
struct ompp_callnode;

/* Accesses that are always executed together are the members of one site; compiled code has tables of them. */
struct ompp_access_members {
	size_t n;
	size_t lo, n_bytes; /* offset of their lowest byte from the address of the first member; number of bytes from
	                       there to the end of the last one */
	struct {
		size_t distance, how; /* from the first member, in bytes; the size is 1 << (how & 7), stores have 8 */
	} member[];
};
enum { OMPP_HOW_SIZE = 7, OMPP_HOW_STORE = 8 };
_Static_assert((int)OMPP_SLOT_STORE == (int)OMPP_HOW_STORE && OMPP_SLOT_LOAD == 0, "a store's bit is its slot");

/* How one thread used one page; one cache line. */
struct __attribute__((aligned(64))) ompp_page_use {
	uintptr_t page; /* its address */
	const struct ompp_callnode *node;
	uint32_t cover;
	uint32_t cpu; /* the processor + 1 at the first access; 0 when not known */
	uint64_t loads, stores;
	uint64_t parts;        /* bit i for the i-th of its OMPP_PAGE_PARTS equal parts */
	const uint64_t *words; /* the cover's row in a tally of the node, or NULL: then hooks do not count */
	const struct ompp_segment *segment; /* the segment of its latest access */
};

/* A buffer where a site of a loop (adapters/run_hooks.h) writes its addresses until many are counted together:
 * counting after each one would keep the processor from overlapping the program's accesses.  The site appends
 * addresses, and only its own stack frame knows how many; so the reader stops at the first entry that is 0, and resets
 * what it has read to 0. */
struct ompp_log {
	const struct ompp_access_site *site; /* its owner; NULL when it is free */
	const struct ompp_access_members *members;
	struct ompp_tally *tally; /* where its accesses are counted */
	uint32_t n_counted;
	uint32_t round;      /* changes each time a site gets the log; stored after all else */
	uint32_t seen_round; /* the round in which the helper saw an address that had waited for a tick */
	uint64_t address[OMPP_LOG_ADDRESSES]; /* of the first member */
};

/* When an address that was waiting at a tick came into the log: the thread may hand over the log much later.  Written
 * by the helper, the round last. */
struct ompp_log_time {
	uint64_t since_ns, until_ns; /* of CLOCK_MONOTONIC */
	uint32_t round;
};

/* Which addresses are counted next, by ompp_known.turn: those logged after the latest tick; those logged between
 * since_ns and until_ns; or no more of the log. */
enum ompp_turn { OMPP_TURN_NOW, OMPP_TURN_PAST, OMPP_TURN_END };

struct ompp_known {
	char *first;       /* the first entry */
	uint32_t *offsets; /* [mask + 1], by page number: byte offset of its possible entry from the first one */
	uint64_t mask;
	uint32_t page_bits;
	uint32_t tick;         /* the latest tick; never 0; written by the helper */
	uint32_t mine;         /* the tick for which the table is valid; 0 while the thread works with it */
	uint32_t seen;         /* the value of `mine` when the thread does not */
	uint32_t is_gathering; /* 1 while the thread works with its logs */
	uint32_t n_logs;       /* number of logs in use */
	uint32_t is_turned;    /* 1 while a log is counted: ticks are not checked */
	uint32_t is_late;      /* 1 when a tick has to be checked afterwards */
	uint64_t since_ns;     /* of CLOCK_MONOTONIC: the start of what is in the table; UINT64_MAX when it is empty */
	uint64_t tick_ns; /* a time before the latest tick, after which no log was examined; written by the helper */
	uint64_t calm_ns; /* the latest tick at which the thread was in no loop nest; written by the helper */
	void (*turn)(struct ompp_known *p, enum ompp_turn what, uint64_t since_ns, uint64_t until_ns);
	struct ompp_log log[OMPP_LOGS];
	struct ompp_log_time time[OMPP_LOGS][OMPP_LOG_ADDRESSES];
};

static inline unsigned int ompp_known_bits(const struct ompp_known *p)
{
#if defined(__x86_64__)
	(void)p;
	return 12;
#else
	return p->page_bits;
#endif
}

/* Returns the entry of `offsets` for an address. */
static inline uint32_t *ompp_known_offset(const struct ompp_known *p, uintptr_t address)
{
	return &p->offsets[address >> ompp_known_bits(p) & p->mask];
}

/* Returns the bit of the part of the page that contains a byte. */
static inline uint64_t ompp_page_part(unsigned int page_bits, uintptr_t address)
{
	return UINT64_C(1) << (address >> (page_bits - OMPP_PART_BITS) & (OMPP_PAGE_PARTS - 1));
}

/* Sets the bit of a part; compilers would use two more instructions. */
static inline uint64_t ompp_page_with_part(uint64_t parts, unsigned int page_bits, uintptr_t address)
{
#if defined(__x86_64__)
	uint64_t part = address >> (page_bits - OMPP_PART_BITS);

	__asm__("btsq %1, %0" : "+r"(parts) : "r"(part) : "cc"); /* the lowest six bits select the bit */
	return parts;
#else
	return parts | ompp_page_part(page_bits, address);
#endif
}

_Static_assert(offsetof(struct ompp_page_use, stores) - offsetof(struct ompp_page_use, loads) ==
                       OMPP_SLOT_STORE - OMPP_SLOT_LOAD,
               "a slot is also how far its count is from that of loads");

/* slot: OMPP_SLOT_LOAD or OMPP_SLOT_STORE */
static inline uint64_t *ompp_page_use_count(struct ompp_page_use *use, unsigned int slot)
{
	return (uint64_t *)(void *)((char *)&use->loads + (slot - OMPP_SLOT_LOAD));
}

/* Marks the thread as busy with its table.  Returns 0 when it already is, or a tick has passed. */
static inline int ompp_known_enter(struct ompp_known *p)
{
	if (__builtin_expect(OMPP_LOAD(&p->mine) != OMPP_LOAD(&p->tick), 0))
		return 0;
	OMPP_STORE(&p->mine, 0u);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return 1;
}

/* Reads `seen` again, as keeping it in a register would mean saving that register. */
static inline void ompp_known_end(struct ompp_known *p)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	OMPP_STORE(&p->mine, p->seen);
}

/* Counts a load or a store in the tally and by its page, when the page is known.  A misaligned access is left to the
 * slow path, as it may span two pages.  Returns 1 when it is counted.  HOT.
 * slot: OMPP_SLOT_LOAD or OMPP_SLOT_STORE */
static inline __attribute__((always_inline)) int ompp_known_count(struct ompp_known *p, struct ompp_tally *tally,
                                                                  uintptr_t address, unsigned int size,
                                                                  unsigned int slot)
{
	unsigned int bits = ompp_known_bits(p);
	uintptr_t within = ((uintptr_t)1 << bits) - ((uintptr_t)1 << size);
	const struct ompp_segment *s;
	struct ompp_page_use *use;
	uint64_t *words;

	if (!ompp_known_enter(p))
		return 0;
	use = (struct ompp_page_use *)(void *)(p->first + *ompp_known_offset(p, address));
	s = use->segment;
	if (__builtin_expect(((address ^ use->page) & ~within) || use->words != ompp_tally_word(tally, s->row, 0) ||
	                             !ompp_segment_holds(s, address, size),
	                     0)) {
		ompp_known_end(p);
		return 0;
	}
	words = ompp_tally_word(tally, s->row, slot);
	ompp_tally_add(ompp_page_use_count(use, slot), 1);
	OMPP_STORE(&use->parts, ompp_page_with_part(use->parts, bits, address));
	ompp_known_end(p);
	/* Its call to extend an extent is a tail call, so that hooks save no registers. */
	ompp_tally_count_in(words, address, size);
	return 1;
}

/* Returns the bits of the parts of a page from one byte to another. */
static inline uint64_t ompp_page_parts(unsigned int page_bits, uintptr_t first, uintptr_t last)
{
	unsigned int shift = page_bits - OMPP_PART_BITS, lo = (unsigned int)(first >> shift) & (OMPP_PAGE_PARTS - 1),
		     hi = (unsigned int)(last >> shift) & (OMPP_PAGE_PARTS - 1);

	return UINT64_MAX << lo & UINT64_MAX >> (OMPP_PAGE_PARTS - 1 - hi);
}

static __attribute__((noinline, unused)) uint64_t ompp_page_parts_of_steps(unsigned int page_bits, uintptr_t first,
                                                                           size_t step, size_t n, size_t n_bytes)
{
	size_t part_bytes = (size_t)1 << (page_bits - OMPP_PART_BITS);
	uint64_t parts = 0;

	/* when both are multiples of the size, a power of two, no access spans two parts */
	if (n_bytes <= part_bytes && !((first | step) & (n_bytes - 1)) && !(n_bytes & (n_bytes - 1)))
		for (; n; n--, first += step)
			parts |= ompp_page_part(page_bits, first);
	else
		for (; n; n--, first += step)
			parts |= ompp_page_parts(page_bits, first, first + n_bytes - 1);
	return parts;
}

/* Returns the parts of their page that n accesses touch, each a step after the one before.
 * lo, last: their lowest and their highest byte */
static inline uint64_t ompp_page_parts_of_run(unsigned int page_bits, uintptr_t first, size_t step, size_t n,
                                              size_t n_bytes, uintptr_t lo, uintptr_t last)
{
	size_t part_bytes = (size_t)1 << (page_bits - OMPP_PART_BITS);

	if (__builtin_expect(step + part_bytes > 2 * part_bytes, 0))
		return ompp_page_parts_of_steps(page_bits, first, step, n, n_bytes);
	return ompp_page_parts(page_bits, lo, last);
}

/* Begins to count accesses between two bytes, when all of them are in one known page.  Returns its entry, or NULL.  The
 * caller adds the accesses to the entry and to the row of its segment in the tally, then calls ompp_known_end(). */
static inline struct ompp_page_use *ompp_known_begin(struct ompp_known *p, struct ompp_tally *tally, uintptr_t first,
                                                     uintptr_t last)
{
	unsigned int bits = ompp_known_bits(p);
	struct ompp_page_use *use;

	if (!ompp_known_enter(p))
		return NULL;
	use = (struct ompp_page_use *)(void *)(p->first + *ompp_known_offset(p, first));
	if (__builtin_expect(((first ^ use->page) | (last ^ use->page)) >> bits ||
	                             use->words != ompp_tally_word(tally, use->segment->row, 0) ||
	                             !ompp_segment_holds(use->segment, first, 0) ||
	                             !ompp_segment_holds(use->segment, last, 0),
	                     0)) {
		ompp_known_end(p);
		return NULL;
	}
	return use;
}

/* Counts n accesses of n_bytes each, at least 1, the first at `base` and each a step after the one before, like
 * ompp_known_count().
 * lo, last: their lowest and their highest byte
 * slot: as for ompp_tally_count_blocks() */
static inline int ompp_known_count_blocks(struct ompp_known *p, struct ompp_tally *tally, uintptr_t base, size_t step,
                                          size_t n, size_t n_bytes, uintptr_t lo, uintptr_t last, unsigned int slot)
{
	struct ompp_page_use *use = ompp_known_begin(p, tally, lo, last);

	if (!use)
		return 0;
	ompp_tally_count_blocks(tally, use->segment->row, lo, last, n, n_bytes, slot);
	if (slot != OMPP_SLOT_BLOCK_STORE)
		ompp_tally_add(&use->loads, n);
	if (slot != OMPP_SLOT_BLOCK_LOAD)
		ompp_tally_add(&use->stores, n);
	OMPP_STORE(&use->parts,
	           use->parts | ompp_page_parts_of_run(ompp_known_bits(p), base, step, n, n_bytes, lo, last));
	ompp_known_end(p);
	return 1;
}

static inline int ompp_known_count_block(struct ompp_known *p, struct ompp_tally *tally, uintptr_t address,
                                         size_t n_bytes, unsigned int slot)
{
	return ompp_known_count_blocks(p, tally, address, 0, 1, n_bytes, address, address + (n_bytes - 1), slot);
}

/* Counts n accesses of 1 << size bytes, the first at `base` and each a step after the one before, like
 * ompp_known_count().
 * lo, hi: their lowest and their highest address */
static inline int ompp_known_count_run(struct ompp_known *p, struct ompp_tally *tally, uintptr_t base, size_t step,
                                       size_t n, uintptr_t lo, uintptr_t hi, unsigned int size, unsigned int slot)
{
	uintptr_t last = hi + (((uintptr_t)1 << size) - 1);
	struct ompp_page_use *use = ompp_known_begin(p, tally, lo, last);

	if (!use)
		return 0;
	ompp_tally_count_run(ompp_tally_word(tally, use->segment->row, slot), lo, hi, n, size);
	ompp_tally_add(ompp_page_use_count(use, slot), n);
	OMPP_STORE(&use->parts,
	           use->parts | ompp_page_parts_of_run(ompp_known_bits(p), base, step, n, (size_t)1 << size, lo, last));
	ompp_known_end(p);
	return 1;
}

#endif
