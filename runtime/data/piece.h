/*
 * Piece: memory with the same ranges over all of it, between two bounds of ranges; a treap by address.  All under the lock
 * of range.c.
 */
#ifndef OMPP_DATA_PIECE_H
#define OMPP_DATA_PIECE_H

#include <stdint.h>

#include "runtime/data/range.h"

enum { OMPP_INLINE_MEMBERS = 3 };

struct ompp_piece {
	uintptr_t            lo, hi;            /* hi is not included */
	struct ompp_piece   *left, *right;
	uint32_t             priority;
	uint32_t             n_members, have_members;
	struct ompp_range  **members;           /* ranges over it, in the order in which they came */
	struct ompp_range   *own_members[OMPP_INLINE_MEMBERS];
	struct ompp_segment *segment;           /* what readers see of it; NULL: new */
};

/* The first piece that ends above the address; NULL: none. */
struct ompp_piece *ompp_piece_from(uintptr_t address);

/* A range comes over its pieces, which are made and cut as it needs; or goes from them, and they are mended.  0, or -1
 * without memory: then parts of it are missing.  To be published. */
int ompp_pieces_add(struct ompp_range *range);
void ompp_pieces_remove(const struct ompp_range *range);

/* Give each piece that meets [lo, hi) its segment and each page its state; then end what is no more.  0, or -1 without
 * memory. */
int ompp_pieces_publish(uintptr_t lo, uintptr_t hi);

#endif
