/*
 * Piece: a part of memory between two bounds of ranges, with the same ranges over all of it.  The pieces form a treap
 * by address (base/treap.h); all calls are under the lock of range.c.
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
	struct ompp_range **members; /* ranges over it, oldest first */
	struct ompp_range *own_members[OMPP_INLINE_MEMBERS];
	struct ompp_piece *next_free;
	struct ompp_segment *segment; /* what readers see of it; NULL for a new piece */
};

/* Returns the first piece that ends above the address, or NULL. */
struct ompp_piece *ompp_piece_from(uintptr_t address);

/* Returns the last piece that begins at or below the address, or NULL. */
struct ompp_piece *ompp_piece_upto(uintptr_t address);

/* The first adds a range to its pieces, creating and splitting them as necessary; it returns 0, or -1 without memory,
 * and then parts of the range are missing.  The second removes the range, and joins pieces that became equal.  Readers
 * see neither until the pieces are published. */
int ompp_pieces_add(struct ompp_range *range);
void ompp_pieces_remove(const struct ompp_range *range);

/* How near an object is to the user's words: the stack, what OMPP_OBJECTS=all finds, and names that somebody gave.  A
 * cover has objects of one rank alone, the highest that lies there.  Under the lock. */
enum { OMPP_RANK_STACK, OMPP_RANK_FOUND, OMPP_RANK_GIVEN };
int ompp_piece_rank(const struct ompp_object_def *object);

/* Publishes the pieces that overlap [lo, hi): sets the segment of each and the state of each page, then ends segments
 * that are no longer used by any piece.  Returns 0, or -1 without memory. */
int ompp_pieces_publish(uintptr_t lo, uintptr_t hi);

#endif
