/*
 * Segment: pieces of memory with one cover as readers see them, and lists of the segments that share a page. Everything
 * here is under the lock of range.c unless it says otherwise.
 *
 * Readers take no lock, and nobody knows how long one looks at what it found.  So nothing is ever freed: what has ended
 * waits until some thousand others have ended after it, and is then used again, a segment for other memory of the same
 * cover (so that its row is constant), a list for as many segments.  A reader that was stopped for all that time counts
 * one access for what was there; it reads and writes nothing but live structs.
 */
#ifndef OMPP_DATA_SEGMENT_H
#define OMPP_DATA_SEGMENT_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/data/tally.h"

/* How many bytes a row of counts has, more with the cache model.  It is set once, before the first segment. */
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

/* 1 when memory without a name may have small blocks in it.  It is set once, before the first segment. */
extern int ompp_segments_have_blocks;

struct ompp_container;

/* A segment of a container's own bytes: no way fits it, and its row has OMPP_ROW_WATCHED. */
struct ompp_watched_segment {
	struct ompp_segment segment;
	const struct ompp_container *container; /* or OMPP_SEVERAL */
};
#define OMPP_SEVERAL ((const struct ompp_container *)1)

/* Returns a live segment of this state; NULL without memory.
 * container: the one that watches the bytes, or NULL */
struct ompp_segment *ompp_segment_find(uintptr_t lo, uintptr_t hi, uint32_t cover,
                                       const struct ompp_container *container);

/* Returns the container of a watched segment, OMPP_SEVERAL, or NULL.  It may be called without the lock. */
static inline const struct ompp_container *ompp_segment_watch(const struct ompp_segment *segment)
{
	return segment->row & OMPP_ROW_WATCHED ? ((const struct ompp_watched_segment *)(const void *)segment)->container
	                                       : NULL;
}

/* Ends a segment of ompp_segment_find(): no way fits it any more. */
void ompp_segment_drop(struct ompp_segment *segment);

/* Returns a new segment for a page without a name, which ompp_segment_find() does not find; NULL without memory.  It
 * may be called without the lock. */
struct ompp_segment *ompp_segment_new(uintptr_t page);

/* The first lets no way fit the segment from now on, the second lets ways fit again.  A segment with OMPP_ROW_PAGE
 * holds nothing meanwhile. */
void ompp_segment_end(struct ompp_segment *segment);
void ompp_segment_revive(struct ompp_segment *segment);

/* Returns what the table of pages has for a page with these segments: a list, which is used again when there was one
 * like it.  No two pages have the same list.  Returns 0 without memory. */
uintptr_t ompp_list_of(const struct ompp_list *wanted);

/* Gives up a list that no page has any more. */
void ompp_list_drop(struct ompp_list *list);

#endif
