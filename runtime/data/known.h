/*
 * Known: the pages that a thread has used in the interval under way, for hooks (OMPP_PAGES).
 *
 * A hook finds the entry of a page by the page's number in an array that is larger than the number of entries: so pages
 * that follow each other never share a place, and the pages of several objects seldom do.  It counts an access by
 * itself when the entry is that of the page, and of the tally, and the entry's segment holds the access.  All others
 * are counted by core/page_use.c, which also fills the array.  An entry that is handed over loses its tally, and
 * matches no access from then on.
 *
 * All of it is written by its thread alone.  A signal handler that comes in the middle finds the thread busy.
 */
#ifndef OMPP_DATA_KNOWN_H
#define OMPP_DATA_KNOWN_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/relaxed.h"
#include "runtime/data/tally.h"

enum { OMPP_PAGE_PARTS = 64, OMPP_PART_BITS = 6, OMPP_KNOWN_WAITING = 256 };

struct ompp_callnode;

/* How one thread used one page, in one cache line. */
struct __attribute__((aligned(64))) ompp_page_use {
	uintptr_t page; /* its address */
	const struct ompp_callnode *node;
	uint32_t cover;
	uint32_t cpu; /* the processor + 1 at the first access; 0 when not known */
	uint64_t loads, stores;
	uint64_t parts;                     /* bit i for the i-th of its OMPP_PAGE_PARTS equal parts */
	const struct ompp_tally *tally;     /* of the node, with room for the cover, or NULL: then hooks do not count */
	const struct ompp_segment *segment; /* in which its latest access was */
};

struct ompp_known {
	char *first;       /* the first entry */
	uint32_t *offsets; /* [mask + 1], by the page's number: how many bytes behind the first one its entry may be */
	uint64_t mask;
	uint32_t page_bits;
	uint32_t is_busy; /* 1 while the thread is at work with its entries */
	int32_t left;     /* accesses until the clock is looked at */
	/* Accesses of loops that wait until many are counted together, as the processor would not get as far as to the
	 * next access of the program if it had to count between two of them: addresses << 4 and sizes and kinds. */
	uint32_t is_gathering; /* 1 while the thread is at work with them */
	uint32_t n_waiting;
	const struct ompp_tally *tally; /* whose they are */
	uint64_t waiting[OMPP_KNOWN_WAITING];
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

/* Returns the place in `offsets` for an address. */
static inline uint32_t *ompp_known_place(const struct ompp_known *p, uintptr_t address)
{
	return &p->offsets[address >> ompp_known_bits(p) & p->mask];
}

/* Counts a load or a store in the tally and by its page, when the page is known.  An access whose address is no
 * multiple of its size is left to others, as it may lie in two pages.  Returns 1 when it is counted.  HOT. slot:
 * OMPP_SLOT_LOAD or OMPP_SLOT_STORE */
static inline __attribute__((always_inline)) int ompp_known_count(struct ompp_known *p, struct ompp_tally *tally,
                                                                  uintptr_t address, unsigned int size,
                                                                  unsigned int slot)
{
	unsigned int bits = ompp_known_bits(p);
	uintptr_t within = ((uintptr_t)1 << bits) - ((uintptr_t)1 << size);
	const struct ompp_segment *s;
	struct ompp_page_use *use;

	if (__builtin_expect(p->is_busy, 0))
		return 0;
	p->is_busy = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	use = (struct ompp_page_use *)(void *)(p->first + *ompp_known_place(p, address));
	s = use->segment;
	if (__builtin_expect(((address ^ use->page) & ~within) || use->tally != tally ||
	                             !ompp_segment_holds(s, address, size) || --p->left < 0,
	                     0)) {
		p->is_busy = 0;
		return 0;
	}
	ompp_tally_count(tally, s->row, address, size, slot);
	ompp_tally_add(slot == OMPP_SLOT_LOAD ? &use->loads : &use->stores, 1);
	OMPP_STORE(&use->parts, use->parts | UINT64_C(1)
	                                             << (address >> (bits - OMPP_PART_BITS) & (OMPP_PAGE_PARTS - 1)));
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	p->is_busy = 0;
	return 1;
}

#endif
