/*
 * Extent: the address ranges of each data object's blocks, in the order in which they began, so that a report can tell
 * in which block, and in which part of it, an access was.
 *
 * Extents are recorded when a range of data comes into force, and kept when it ends.  For an object with very many,
 * only the first ones are recorded.
 */
#ifndef OMPP_MEMORY_BLOCK_EXTENT_H
#define OMPP_MEMORY_BLOCK_EXTENT_H

#include <stdint.h>

enum { OMPP_MOST_EXTENTS = 4096 }; /* of one object */

struct ompp_extent_of {
	uintptr_t lo, hi;
	uint32_t order;  /* number of the block among all that its site allocated, or of the range among those of its
	                    name, from 0 */
	uint32_t thread; /* slot + 1 of the thread that allocated the block; 0 when not known, and for other ranges */
};

/* Written under the lock of ranges, read by reports. */
struct ompp_extents {
	struct ompp_extent_of *all; /* replaced when it grows */
	uint32_t n, have;           /* n is written last (release) */
	uint32_t next_order;        /* the smallest order that the next one may have */
};

/* Starts recording extents.  COLD, before the first range. */
void ompp_extents_start(void);

/* Returns the extents of an object; NULL when it has none. */
const struct ompp_extents *ompp_extents_of(uint32_t object);

#endif
