/*
 * Piece: a part of memory between two bounds of ranges, with the same ranges over all of it.  The pieces are a treap by
 * address (base/treap.h); everything here is under the lock of range.c.
 */
#ifndef OMPP_RANGES_PIECE_H
#define OMPP_RANGES_PIECE_H

#include <stdint.h>

#include "runtime/base/treap.h"
#include "runtime/ranges/range.h"

enum { OMPP_INLINE_MEMBERS = 3 };

struct ompp_piece {
	struct ompp_treap tree; /* by lo */
	uintptr_t lo, hi;       /* hi is not included */
	uint32_t n_members, have_members;
	struct ompp_range **members; /* ranges over it, in the order in which they came */
	struct ompp_range *own_members[OMPP_INLINE_MEMBERS];
	struct ompp_piece *next_free;
	struct ompp_segment *segment; /* what readers see of it; NULL for a new piece */
};

/* Returns the first piece that ends above the address, or NULL. */
struct ompp_piece *ompp_piece_from(uintptr_t address);

/* Returns the last piece that begins at or below the address, or NULL. */
struct ompp_piece *ompp_piece_upto(uintptr_t address);

/* The first puts a range over its pieces, which are made and cut as it needs; it returns 0, or -1 without memory, and
 * then parts of the range are missing.  The second takes the range away and joins pieces that became alike.  Neither is
 * seen by readers until the pieces are published. */
int ompp_pieces_add(struct ompp_range *range);
void ompp_pieces_remove(const struct ompp_range *range);

/* Publishes the pieces that meet [lo, hi): gives each its segment and each page its state, then ends segments that no
 * piece has any more.  Returns 0, or -1 without memory. */
int ompp_pieces_publish(uintptr_t lo, uintptr_t hi);

#endif
