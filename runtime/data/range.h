/*
 * Range: which memory has which names, now; and from an address to its segment, for the access hooks.
 *
 * Ranges may overlap.  Their bounds cut the named memory into pieces with one cover each; a piece is what readers see
 * as a segment.  A table of pages leads to segments: a page inside one segment names it, a page with several has a short
 * list.  Readers take no lock and never wait; writers are one at a time.  What readers may hold is never freed but found
 * again when the same state comes back (a block that is allocated, named and freed in a loop).
 *
 * A change counts for accesses that begin after the call has returned; the caller's own accesses, and those that the
 * program orders after it.
 */
#ifndef OMPP_DATA_RANGE_H
#define OMPP_DATA_RANGE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/data/object.h"
#include "runtime/data/page.h"

struct ompp_container;

struct ompp_range {
	uintptr_t               lo, hi;         /* hi is not included */
	struct ompp_object_def *object;
	uint32_t                owner;          /* thread slot + 1: that thread's own; 0: common */
	uint32_t                generation;     /* counts the uses of this struct */
	uint32_t                index;          /* of this struct */
	uintptr_t               scope;          /* not 0: ends with a block of the program, whose frame is here; others of the
	                                           name may live beside it */
	int                     is_detached;    /* its block is being moved */
	int                     is_whole;       /* then: it was all of its block, and will be */
	struct ompp_container  *container;      /* that watches these bytes, or whose data they are; NULL: none */
	int                     is_watch;       /* these are the bytes of the container itself, no data with the name */
	struct ompp_range      *next, *previous;        /* of the object; next also: free ones, detached ones */
};

/* Ranges of names in force.  0: nothing is named. */
extern _Atomic uint32_t ompp_n_ranges;

/* Ranges that could not be set for want of memory, or from a signal handler inside one of these calls. */
extern _Atomic uint64_t ompp_n_lost_ranges;

/* Told of each range that comes into force (1) or goes (0), under the lock; NULL: nobody. */
extern void (*ompp_range_changed)(const struct ompp_range *range, int in_force);

/* What becomes of other ranges of the name and owner.  Those with a scope stay at any rate. */
enum ompp_range_kind {
	OMPP_RANGE_MOVES,                       /* the last one ends */
	OMPP_RANGE_SUM,                         /* those that overlap end, others are more places of the object */
	OMPP_RANGE_EACH                         /* the same, and each place is an object of its own: "name[0]" … */
};

/* Name n_bytes at address.  0 bytes, or bytes beyond OMPP_LAST_ADDRESS: nothing is named, but with OMPP_RANGE_MOVES the
 * last range ends.  The result is for ompp_range_end(); 0 when nothing was set. */
uint64_t ompp_range_begin_as(enum ompp_range_kind kind, const char *name, enum ompp_origin origin, uintptr_t address,
                             size_t n_bytes, uint32_t owner, uintptr_t scope);
uint64_t ompp_range_begin(const char *name, enum ompp_origin origin, uintptr_t address, size_t n_bytes, uint32_t owner,
                          uintptr_t scope);          /* OMPP_RANGE_MOVES */

/* End the range of ompp_range_begin(), if it is still in force. */
void ompp_range_end(uint64_t id);

/* End the range of a name: the owner's own where there is one, else the common one; where a name has several places, or
 * numbered objects, all of them. */
void ompp_range_end_named(const char *name, uint32_t owner);

/* End the ranges of a name whose scope lies in [lo, hi). */
void ompp_range_end_scoped(const char *name, uintptr_t lo, uintptr_t hi);

/* The memory [lo, hi) is gone: end what lies in it. */
void ompp_range_freed(uintptr_t lo, uintptr_t hi);

/* The block [lo, hi) may move: take the ranges in it out of force; then put them where the block is now.  A range that
 * began with the block and ended less than slack_bytes before its end was all of it, and becomes all of the n_bytes
 * that the block has now; others keep their offset and size, and are cut where the block ends.  n_bytes SIZE_MAX: the block is what it was.  NULL:
 * there were none. */
struct ompp_range *ompp_range_detach(uintptr_t lo, uintptr_t hi, size_t slack_bytes);
void ompp_range_attach(struct ompp_range *list, uintptr_t old_lo, uintptr_t new_lo, size_t n_bytes);

/* Around fork(): the lock is held. */
void ompp_ranges_before_fork(void);
void ompp_ranges_after_fork(void);

#endif
