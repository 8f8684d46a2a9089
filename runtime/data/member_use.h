/*
 * Member use: how often a thread accesses which bytes of an object's elements, where these are structures
 * (OMPP_FIELDS).
 *
 * Each thread counts accesses by call-tree node, object, offset in the element, and size.  A run of accesses, each a
 * step after the one before, comes to few offsets, which repeat: it is counted at once.  The table is written by its
 * thread alone; a report reads it at the same time.  It has a fixed size; an access for which there is no room is
 * counted as lost.
 */
#ifndef OMPP_DATA_MEMBER_USE_H
#define OMPP_DATA_MEMBER_USE_H

#include <stddef.h>
#include <stdint.h>

enum { OMPP_MEMBER_USES = 1 << 16, OMPP_MEMBER_USES_MOST = OMPP_MEMBER_USES / 4 * 3 };
enum ompp_member_how { OMPP_MEMBER_LOAD, OMPP_MEMBER_STORE, OMPP_MEMBER_ATOMIC };

struct ompp_member_use {
	const void *node; /* NULL when the entry is free; stored last */
	uint32_t object, how;
	uint32_t offset, n_bytes;
	uint64_t n;
};

struct ompp_member_uses {
	uint32_t n_used;
	uint64_t n_lost;   /* accesses for which there was no room */
	uint64_t n_unlike; /* accesses to blocks that are no whole number of elements */
	struct ompp_member_use use[OMPP_MEMBER_USES];
};

/* The elements of an object, as far as counting needs them. */
struct ompp_member_frame {
	uint64_t n_bytes; /* of an element */
	uint64_t open;    /* from here on the last member has no end; UINT64_MAX when that is not so */
};

/* Returns a new table; NULL without memory. */
struct ompp_member_uses *ompp_member_uses_new(void);

/* Counts n accesses of n_bytes, the first so many bytes behind the begin of the object's elements, and each a step
 * after the one before.  One that spans several elements counts as one in each of them. */
void ompp_member_count(struct ompp_member_uses *uses, const void *node, uint32_t object,
                       const struct ompp_member_frame *frame, uint64_t at, size_t step, size_t n, size_t n_bytes,
                       enum ompp_member_how how);

#endif
