/*
 * Touched: remembers which pages of memory have been touched, and what was there then.
 *
 * The table has three levels, as that of the names (page.h), with an entry for each 4 KiB; a larger page has several.
 * It takes 0.4 % of the memory that is touched.  One thread at a time uses it.
 */
#ifndef OMPP_DATA_TOUCHED_H
#define OMPP_DATA_TOUCHED_H

#include <stdint.h>

enum ompp_touched_state {
	OMPP_PAGE_UNTOUCHED,
	OMPP_PAGE_TOUCHED, /* the page has memory */
	OMPP_PAGE_OWN      /* the page is libompp's own */
};

struct ompp_touched {
	uint64_t time_ns; /* of the latest fault */
	uint64_t state;   /* enum ompp_touched_state */
};

/* Returns the entry of the 4 KiB that hold the address, which is made if need be; NULL without memory, or when no
 * program can have the address. */
struct ompp_touched *ompp_touched_at(uintptr_t address);

/* Gives all entries from lo to hi (not included) the same content. */
void ompp_touched_set(uintptr_t lo, uintptr_t hi, const struct ompp_touched *entry);

#endif
