/*
 * Segment: pieces of memory with one cover as readers see them, and lists of those that share a page.  Neither is ever
 * freed.  Under the lock of range.c, but for what is said below.
 */
#ifndef OMPP_DATA_SEGMENT_H
#define OMPP_DATA_SEGMENT_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/data/tally.h"

/* Bytes of a row of counts; set once, before the first segment (more with the cache model). */
extern uint32_t ompp_row_bytes;

/* The segment of this state, alive; NULL without memory. */
struct ompp_segment *ompp_segment_find(uintptr_t lo, uintptr_t hi, uint32_t cover);

/* A segment of its own that nobody finds; NULL without memory.  Also without the lock. */
struct ompp_segment *ompp_segment_new(uintptr_t lo, uintptr_t hi, uint32_t cover);

/* From now on no way fits it; or ways fit again. */
void ompp_segment_end(struct ompp_segment *segment);
void ompp_segment_revive(struct ompp_segment *segment);

/* What the table of pages has for a page with these segments: a list, found again when there was one like it (no two
 * pages have the same).  0 without memory. */
uintptr_t ompp_list_of(const struct ompp_list *wanted);

#endif
