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

/* The end of the addresses that the table has, and any program. */
#define OMPP_LAST_ADDRESS ((uintptr_t)1 << (OMPP_PAGE_BITS + 2 * OMPP_BRANCH_BITS + OMPP_ROOT_BITS))

/* WARM, lock-free: the segment that holds the address; never NULL. */
const struct ompp_segment *ompp_segment_at(uintptr_t address);

/* Lock-free: can there be a name in [lo, hi)?  0: no. */
int ompp_pages_may_be_named(uintptr_t lo, uintptr_t hi);

/* Let a page consist of the n entries of `parts`, ascending from 0.  What was there alone before ends.  0, or -1 without
 * memory.  Under the lock. */
int ompp_page_put(uintptr_t page, const struct ompp_list *parts);

/* Let the whole pages from `page` to `end` lie inside a segment; NULL: in none that has a name.  0, or -1 without memory.
 * Under the lock. */
int ompp_pages_fill(uintptr_t page, uintptr_t end, struct ompp_segment *segment);

#endif
