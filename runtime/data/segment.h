/*
 * Segment: pieces of memory with one cover as readers see them, and lists of the segments that share a page.  All calls
 * are under the lock of range.c unless stated otherwise.
 *
 * Readers take no lock, and may use a struct for any time after they found it.  So nothing is ever freed: a struct that
 * has ended is reused only after some thousand others have ended, a segment for other memory of the same cover (so that
 * its row is constant), a list for the same number of segments.  A reader that was suspended for all that time counts
 * one access for the old contents, but never touches freed memory.
 */
#ifndef OMPP_DATA_SEGMENT_H
#define OMPP_DATA_SEGMENT_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/data/tally.h"

/* The size of a row of counts in bytes; larger with the cache model.  Set once, before the first segment. */
extern uint32_t ompp_row_bytes;

/* The row of a cover, and the cover of a row, without flags. */
static inline uint32_t ompp_cover_row(uint32_t cover)
{
	return (uint32_t)sizeof(struct ompp_tally) + cover * ompp_row_bytes;
}
static inline uint32_t ompp_row_cover(uint32_t row)
{
	return (row - (uint32_t)sizeof(struct ompp_tally)) / ompp_row_bytes;
}

/* 1 when memory without a name may contain small blocks.  Set once, before the first segment. */
extern int ompp_segments_have_blocks;

struct ompp_container;

/* A segment of a container's own bytes: it matches no way, and its row has OMPP_ROW_WATCHED. */
struct ompp_watched_segment {
	struct ompp_segment segment;
	const struct ompp_container *container; /* or OMPP_SEVERAL */
};
#define OMPP_SEVERAL ((const struct ompp_container *)1)

/* Returns a live segment with these properties; NULL without memory.
 * container: the one that watches the bytes, or NULL */
struct ompp_segment *ompp_segment_find(uintptr_t lo, uintptr_t hi, uint32_t cover,
                                       const struct ompp_container *container);

/* Returns the container of a watched segment, OMPP_SEVERAL, or NULL.  It may be called without the lock. */
static inline const struct ompp_container *ompp_segment_watch(const struct ompp_segment *segment)
{
	return segment->row & OMPP_ROW_WATCHED ? ((const struct ompp_watched_segment *)(const void *)segment)->container
	                                       : NULL;
}

/* Ends a segment of ompp_segment_find(): it matches no way any more. */
void ompp_segment_drop(struct ompp_segment *segment);

/* Returns a new segment for a page without a name, which ompp_segment_find() does not find; NULL without memory.  It
 * may be called without the lock. */
struct ompp_segment *ompp_segment_new(uintptr_t page);

/* The first makes the segment match no way, the second lets it match again.  A segment with OMPP_ROW_PAGE is empty
 * meanwhile. */
void ompp_segment_end(struct ompp_segment *segment);
void ompp_segment_revive(struct ompp_segment *segment);

/* Returns the entry of the table of pages for a page with these segments: a list, which is reused when there was an
 * equal one.  No two pages have the same list at a time.  Returns 0 without memory. */
uintptr_t ompp_list_of(const struct ompp_list *wanted);

/* Ends a list that is no longer used by any page. */
void ompp_list_drop(struct ompp_list *list);

#endif
