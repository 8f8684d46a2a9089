/*
 * Page: segments, and the table of pages that leads to them from an address.  The table has two levels of 2^18 entries.
 *
 * Readers take no lock and never wait; writers are one at a time, under the lock of range.c.  Segments and lists are never
 * freed: the same state of a place has the same segment or list again.
 */
#ifndef OMPP_DATA_PAGE_H
#define OMPP_DATA_PAGE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/data/tally.h"

#define OMPP_PAGE_BYTES ((uintptr_t)1 << OMPP_PAGE_BITS)

/* Bytes of a row of counts; set once, before the first segment (more with the cache model). */
extern uint32_t ompp_row_bytes;

/* WARM, lock-free: the segment that holds the address; never NULL. */
const struct ompp_segment *ompp_segment_at(uintptr_t address);

/* Lock-free: can there be a name in [lo, hi)?  0: no. */
int ompp_pages_may_be_named(uintptr_t lo, uintptr_t hi);

/* The segment of this state, alive; NULL without memory.  Under the lock. */
struct ompp_segment *ompp_segment_find(uintptr_t lo, uintptr_t hi, uint32_t cover);

/* No way fits it any more.  Under the lock. */
void ompp_segment_end(struct ompp_segment *segment);

/* Let a page consist of the n entries of `parts`, ascending from 0.  What was there alone before ends.  0, or -1 without
 * memory.  Under the lock. */
int ompp_page_put(uintptr_t page, const struct ompp_list *parts);

/* Let the whole pages from `page` to `end` lie inside a segment; the page behind the last one that was reached: the
 * part of the table ends there, or `end`; `page` itself without memory.  Under the lock. */
uintptr_t ompp_pages_fill(uintptr_t page, uintptr_t end, struct ompp_segment *segment);

#endif
