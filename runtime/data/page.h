/*
 * Page: the table of pages that leads from an address to its segment.
 *
 * Readers take no lock and never wait; writers are one at a time, under the lock of range.c.
 */
#ifndef OMPP_DATA_PAGE_H
#define OMPP_DATA_PAGE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/data/segment.h"

#define OMPP_PAGE_BYTES ((uintptr_t)1 << OMPP_PAGE_BITS)

/* The end of the addresses that the table supports, and that a program can have. */
#define OMPP_LAST_ADDRESS ((uintptr_t)1 << (OMPP_PAGE_BITS + 2 * OMPP_BRANCH_BITS + OMPP_ROOT_BITS))

/* A hook of gap.h, or NULL: for an address without a name, returns a segment without a name that contains it, or NULL.
 * Lock-free. */
extern const struct ompp_segment *(*ompp_page_gap)(uintptr_t address);

/* Returns the segment that contains the address, never NULL.  WARM, lock-free. */
const struct ompp_segment *ompp_segment_at(uintptr_t address);

/* Finds the covers of the parts of a page, each once.  Returns how many; those beyond `most` are left out.  It creates
 * nothing for a page that was never accessed.  Lock-free. */
uint32_t ompp_page_covers(uintptr_t page, uint32_t *covers, uint32_t most);

/* Returns 0 when there can be no name in [lo, hi).  Lock-free. */
int ompp_pages_may_be_named(uintptr_t lo, uintptr_t hi);

/* Sets a page to the n entries of `parts`, ascending from 0.  A segment that was only on this page ends.  Returns 0, or
 * -1 without memory.  Under the lock. */
int ompp_page_put(uintptr_t page, const struct ompp_list *parts);

/* Sets all pages from `page` to `end` to a segment that contains them, or, when it is NULL, to have no name.  Returns
 * 0, or -1 without memory.  Under the lock. */
int ompp_pages_fill(uintptr_t page, uintptr_t end, struct ompp_segment *segment);

#endif
