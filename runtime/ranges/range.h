/*
 * Range: the current names of memory, and the lookup from an address to its segment, for the access hooks.
 *
 * Ranges may overlap.  Their bounds cut the named memory into pieces with one cover each; a piece is what readers see
 * as a segment.  A table of pages leads to segments: the entry of a page is its segment, or a short list when several
 * share it.  Readers take no lock and never wait; writers are serialised by a lock.  What readers may still use is
 * never freed, but reused when the same state comes back (a block that is allocated, named and freed in a loop).
 *
 * A change takes effect for accesses that happen after the call has returned: those of the caller, and those of other
 * threads that the program orders after it.
 */
#ifndef OMPP_RANGES_RANGE_H
#define OMPP_RANGES_RANGE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/data/object.h"
#include "runtime/data/page.h"
#include "runtime/data/tracked.h"

struct ompp_container;

struct ompp_range {
	uintptr_t lo, hi; /* hi is not included */
	struct ompp_object_def *object;
	uint32_t owner;      /* slot + 1 of the thread that owns it; 0 when it is common to all */
	uint32_t generation; /* counts the uses of this struct */
	uint32_t index;      /* of this struct */
	uintptr_t scope; /* the stack frame with which the range ends; other ranges of the same name may exist at the
	                    same time; 0 for none */
	int is_detached; /* its block is being moved */
	int is_whole;    /* when it is detached: it covered all of its block, and will cover all of it again */
	struct ompp_container *container;   /* it watches these bytes, or has its data here; or NULL */
	int is_watch;                       /* the range is the container itself, not its named data */
	uint32_t tracked;                   /* index of the tracked block to which it belongs; 0 for none */
	struct ompp_range *next, *previous; /* in the object's list; free and detached ranges use next, too */
};

/* Lets readers find gaps (gap.h), which are not used where there are small blocks (segment.h).  Called once, before the
 * first access. */
void ompp_ranges_start(void);

/* The number of ranges in force; 0 when nothing is named. */
extern _Atomic uint32_t ompp_n_ranges;

/* The number of ranges that could not be set, for lack of memory or in a signal handler that interrupted one of these
 * calls. */
extern _Atomic uint64_t ompp_n_lost_ranges;

/* If not NULL, called under the lock for each range that comes into force (1) or ends (0). */
extern void (*ompp_range_changed)(const struct ompp_range *range, int in_force);

/* If not NULL, called under the lock for each range of data that has come into force. */
extern void (*ompp_range_begun)(const struct ompp_range *range);

/* If not NULL, called under the lock before memory gets another name or loses one. */
extern void (*ompp_range_changing)(void);

/* If not NULL, called without the lock after names may have changed. */
extern void (*ompp_range_settled)(void);

/* How many objects were made whole: the next one may be half made, by the thread that has the lock. */
extern _Atomic uint32_t ompp_n_whole_objects;

/* Waits until all objects are whole, and calls that hook. */
void ompp_ranges_settle(void);

/* What a new range does to other ranges of the same name and owner.  Those with a scope always stay. */
enum ompp_range_kind {
	OMPP_RANGE_MOVES, /* the last one ends */
	OMPP_RANGE_SUM,   /* overlapping ones end, the others remain further places of the object */
	OMPP_RANGE_EACH   /* the same, and each place is an object of its own: "name[0]" and so on */
};

/* Names n_bytes at address.  With 0 bytes, or bytes beyond OMPP_LAST_ADDRESS, nothing is named, but with
 * OMPP_RANGE_MOVES the last range still ends.  Returns an id for ompp_range_end(), or 0 when nothing was set. */
uint64_t ompp_range_begin_as(enum ompp_range_kind kind, const char *name, enum ompp_origin origin, uintptr_t address,
                             size_t n_bytes, uint32_t owner, uintptr_t scope);
uint64_t ompp_range_begin(const char *name, enum ompp_origin origin, uintptr_t address, size_t n_bytes, uint32_t owner,
                          uintptr_t scope); /* OMPP_RANGE_MOVES */

/* Sets whether OMPP_OBJECTS=all found an object that has no range yet, or somebody asked for it: the names of the
 * latter alone count where both lie. */
void ompp_range_is_found(const char *name, enum ompp_origin origin, int is_found);

/* Ends the range of ompp_range_begin() when it is still in force. */
void ompp_range_end(uint64_t id);

/* Ends the range of a name: the owner's own if there is one, else the common one.  If the name has several places or
 * numbered objects, ends all of them. */
void ompp_range_end_named(const char *name, uint32_t owner);

/* Ends all ranges of a name, whoever owns them. */
void ompp_range_end_all(const char *name);

/* Ends the ranges of a name whose scope lies in [lo, hi). */
void ompp_range_end_scoped(const char *name, uintptr_t lo, uintptr_t hi);

/* Ends the ranges in the memory [lo, hi), which was freed. */
void ompp_range_freed(uintptr_t lo, uintptr_t hi);

/* For a block that may move (realloc): the first suspends the ranges in the block [lo, hi) and returns them, or NULL
 * when there are none; the second restores them where the block is now.  A range that began with the block and ended
 * less than slack_bytes before its end covered all of it, and covers all of the block again; others keep their offset
 * and size, and are truncated at the end of the block.
 * n_bytes: the block's new size; SIZE_MAX when it has not changed */
struct ompp_range *ompp_range_detach(uintptr_t lo, uintptr_t hi, size_t slack_bytes);
void ompp_range_attach(struct ompp_range *list, uintptr_t old_lo, uintptr_t new_lo, size_t n_bytes);

/* The first names those parts of [lo, hi) that have no name, as places of one object.  The second ends the places of
 * all objects of an origin that lie in [lo, hi). */
void ompp_range_begin_rest(const char *name, enum ompp_origin origin, uintptr_t lo, uintptr_t hi, uint32_t owner);
void ompp_range_end_rest(enum ompp_origin origin, uintptr_t lo, uintptr_t hi);

/* Calls `each` under the lock for each range in force that has a name, object by object.  Returns 0, or -1 when another
 * thread keeps the lock for too long, or this thread has it. */
int ompp_ranges_each(void (*each)(void *context, const struct ompp_range *range), void *context);

/* Checks that pieces and ranges are consistent (base/check.h). */
#ifdef OMPP_DEBUG
void ompp_ranges_check(void);
#else
#define ompp_ranges_check() ((void)0)
#endif

/* Hold the lock around fork(). */
void ompp_ranges_before_fork(void);
void ompp_ranges_after_fork(void);

/* The first returns how many ranges the program itself has named, in a forked child since the fork; the child calls the
 * second.  Lock-free. */
uint64_t ompp_ranges_n_named(void);
void ompp_ranges_in_child(void);

/* Returns the segment of a copy of the small blocks in a page that also has names (mixed.h); NULL when there can be
 * none, or the lock is taken. */
const struct ompp_segment *ompp_access_mix(uintptr_t address);

#endif
