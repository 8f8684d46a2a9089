/*
 * Extent: where the blocks of each data object have lain, in the order in which they began, so that a report can say in
 * which of them, and in which part of it, an access was.
 *
 * Extents are noted when a range of data comes into force, and stay when it ends.  Of an object with very many, the
 * first ones alone are known.
 */
#ifndef OMPP_MEMORY_BLOCK_EXTENT_H
#define OMPP_MEMORY_BLOCK_EXTENT_H

#include <stdint.h>

enum { OMPP_MOST_EXTENTS = 4096 }; /* of one object */

struct ompp_extent_of {
	uintptr_t lo, hi;
	uint32_t order; /* of the block among all that its call allocated, or of the range among those of its name, from
	                   0 */
	uint32_t thread; /* slot + 1 of the thread that allocated the block; 0 when not known, and for other ranges */
};

/* Written under the lock of ranges, read by reports. */
struct ompp_extents {
	struct ompp_extent_of *all; /* replaced when it grows */
	uint32_t n, have;           /* n is written last (release) */
	uint32_t next_order;        /* the least that the next one may have */
};

/* Lets extents be noted from now on.  COLD, before the first range. */
void ompp_extents_start(void);

/* Returns those of an object; NULL when it has none. */
const struct ompp_extents *ompp_extents_of(uint32_t object);

#endif
