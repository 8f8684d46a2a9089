/*
 * Touched: records which pages of memory were touched, who touched them first, and the NUMA node of each page.
 *
 * The table has three levels, as the table of pages (page.h), with an entry for each 4 KiB; a larger page has several.
 * It needs 0.6 % of the touched memory.  One thread at a time writes it; others may look up entries at the same time,
 * and see the old or the new value of each member.
 */
#ifndef OMPP_DATA_TOUCHED_H
#define OMPP_DATA_TOUCHED_H

#include <stdint.h>

enum ompp_touched_state {
	OMPP_PAGE_UNTOUCHED,
	OMPP_PAGE_TOUCHED, /* the page has memory */
	OMPP_PAGE_OWN      /* the page is libompp's own */
};

/* Who touched a page first, in one word: the thread's slot and the index of its call-tree node; 0 when not known. */
static inline uint64_t ompp_toucher(uint32_t slot, uint32_t node)
{
	return ((uint64_t)slot + 1) << 32 | node;
}

static inline uint32_t ompp_toucher_slot(uint64_t toucher)
{
	return (uint32_t)(toucher >> 32) - 1;
}

static inline uint32_t ompp_toucher_node(uint64_t toucher)
{
	return (uint32_t)toucher;
}

struct ompp_touched {
	uint64_t time_ns; /* of the latest fault */
	uint64_t toucher; /* ompp_toucher() of the first touch, or 0 */
	uint32_t state;   /* enum ompp_touched_state */
	uint32_t home;    /* NUMA node + 1 at the last query; 0 when it is not known */
};

/* Returns the entry of the 4 KiB that contain the address, and creates it if necessary; NULL without memory, or when no
 * program can have the address. */
struct ompp_touched *ompp_touched_at(uintptr_t address);

/* Returns the entry if it exists, else NULL.  Any thread may call it, without a lock. */
const struct ompp_touched *ompp_touched_find(uintptr_t address);

/* Gives all entries from lo to hi (not included) the same content. */
void ompp_touched_set(uintptr_t lo, uintptr_t hi, const struct ompp_touched *entry);

#endif
