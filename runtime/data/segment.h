/*
 * Segment: pieces of memory with one cover as readers see them, and lists of those that share a page.  Under the lock of
 * range.c, but for what is said below.
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

/* Bytes of a row of counts; set once, before the first segment (more with the cache model). */
extern uint32_t ompp_row_bytes;

struct ompp_container;

/* A segment of a container's own bytes: no way fits it, and its row has OMPP_ROW_WATCHED. */
struct ompp_watched_segment {
	struct ompp_segment          segment;
	const struct ompp_container *container; /* or OMPP_SEVERAL */
};
#define OMPP_SEVERAL ((const struct ompp_container *)1)

/* The segment of this state, alive; NULL without memory.  container: NULL, or it is watched. */
struct ompp_segment *ompp_segment_find(uintptr_t lo, uintptr_t hi, uint32_t cover,
                                       const struct ompp_container *container);

/* Also without the lock: the container of a watched segment, OMPP_SEVERAL, or NULL. */
static inline const struct ompp_container *ompp_segment_watch(const struct ompp_segment *segment)
{
	return segment->row & OMPP_ROW_WATCHED ?
	       ((const struct ompp_watched_segment *)(const void *)segment)->container : NULL;
}

/* A segment that was found is no more: no way fits it. */
void ompp_segment_drop(struct ompp_segment *segment);

/* A segment of its own that nobody finds; NULL without memory.  Also without the lock. */
struct ompp_segment *ompp_segment_new(uintptr_t lo, uintptr_t hi, uint32_t cover);

/* From now on no way fits it; or ways fit again. */
void ompp_segment_end(struct ompp_segment *segment);
void ompp_segment_revive(struct ompp_segment *segment);

/* What the table of pages has for a page with these segments: a list, found again when there was one like it (no two
 * pages have the same).  0 without memory. */
uintptr_t ompp_list_of(const struct ompp_list *wanted);

/* No page has the list any more. */
void ompp_list_drop(struct ompp_list *list);

#endif
