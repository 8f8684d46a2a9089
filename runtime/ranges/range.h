/*
 * Range: which memory has which names now, and which segment an address lies in, for the access hooks.
 *
 * Ranges may overlap.  Their bounds cut the named memory into pieces with one cover each; a piece is what readers see
 * as a segment.  A table of pages leads to segments: a page inside one segment names it, a page with several has a
 * short list.  Readers take no lock and never wait; writers are one at a time.  What readers may hold is never freed
 * but found again when the same state comes back (a block that is allocated, named and freed in a loop).
 *
 * A change counts for accesses that begin after the call has returned: the caller's own, and those that the program
 * orders after it.
 */
#ifndef OMPP_RANGES_RANGE_H
#define OMPP_RANGES_RANGE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/data/object.h"
#include "runtime/data/page.h"
#include "runtime/data/tracked.h"

struct ompp_container;
struct ompp_site;

struct ompp_range {
	uintptr_t lo, hi; /* hi is not included */
	struct ompp_object_def *object;
	uint32_t owner;                     /* slot + 1 of the thread whose own it is; 0 when it is common */
	uint32_t generation;                /* counts the uses of this struct */
	uint32_t index;                     /* of this struct */
	uintptr_t scope;                    /* the frame of a block of the program with which the range ends; others of
	                                       the name may live beside it; 0 for none */
	int is_detached;                    /* its block is being moved */
	int is_whole;                       /* when it is detached: it was all of its block, and will be */
	struct ompp_container *container;   /* the one that watches these bytes, or whose data they are; or NULL */
	int is_watch;                       /* these are the bytes of the container itself, no data with the name */
	uint32_t tracked;                   /* index of the tracked block that it is of; 0 for none */
	struct ompp_range *next, *previous; /* of the object; free and detached ones have a next, too */
};

/* Lets readers find gaps, which are not of use where there are small blocks (segment.h).  Called once, before the first
 * access. */
void ompp_ranges_start(void);

/* How many ranges are in force; 0 when nothing is named. */
extern _Atomic uint32_t ompp_n_ranges;

/* How many ranges could not be set, for want of memory or in a signal handler that came inside one of these calls. */
extern _Atomic uint64_t ompp_n_lost_ranges;

/* When it is not NULL it is called, under the lock, for each range that comes into force (1) or goes (0). */
extern void (*ompp_range_changed)(const struct ompp_range *range, int in_force);

/* When it is not NULL it is called, under the lock, for each range of data that has come into force. */
extern void (*ompp_range_begun)(const struct ompp_range *range);

/* When it is not NULL it is called, under the lock, before memory gets another name or loses one. */
extern void (*ompp_range_changing)(void);

/* What becomes of other ranges of the same name and owner.  Those with a scope stay in any case. */
enum ompp_range_kind {
	OMPP_RANGE_MOVES, /* the last one ends */
	OMPP_RANGE_SUM,   /* those that overlap end, others are more places of the object */
	OMPP_RANGE_EACH   /* the same, and each place is an object of its own: "name[0]" and so on */
};

/* Names n_bytes at address.  With 0 bytes, or bytes beyond OMPP_LAST_ADDRESS, nothing is named, but with
 * OMPP_RANGE_MOVES the last range ends.  Returns what ompp_range_end() takes, or 0 when nothing was set. */
uint64_t ompp_range_begin_as(enum ompp_range_kind kind, const char *name, enum ompp_origin origin, uintptr_t address,
                             size_t n_bytes, uint32_t owner, uintptr_t scope);
uint64_t ompp_range_begin(const char *name, enum ompp_origin origin, uintptr_t address, size_t n_bytes, uint32_t owner,
                          uintptr_t scope); /* OMPP_RANGE_MOVES */

/* Ends the range of ompp_range_begin() when it is still in force. */
void ompp_range_end(uint64_t id);

/* Ends the range of a name: the owner's own where there is one, else the common one.  A name with several places or
 * with numbered objects loses all of them. */
void ompp_range_end_named(const char *name, uint32_t owner);

/* Ends all ranges of a name, whoever owns them. */
void ompp_range_end_all(const char *name);

/* Ends the ranges of a name whose scope lies in [lo, hi). */
void ompp_range_end_scoped(const char *name, uintptr_t lo, uintptr_t hi);

/* Ends the ranges that lie in the memory [lo, hi), which is gone. */
void ompp_range_freed(uintptr_t lo, uintptr_t hi);

/* The first takes the ranges in the block [lo, hi), which may move, out of force and returns them, or NULL when there
 * are none; the second puts them where the block is now.  A range that began with the block and ended less than
 * slack_bytes before its end was all of it, and becomes all of the block again; others keep their offset and size, and
 * are cut where the block ends.
 * n_bytes: how large the block is now; SIZE_MAX when its size has not changed */
struct ompp_range *ompp_range_detach(uintptr_t lo, uintptr_t hi, size_t slack_bytes);
void ompp_range_attach(struct ompp_range *list, uintptr_t old_lo, uintptr_t new_lo, size_t n_bytes);

/* The first names those parts of [lo, hi) that have no name, as places of one object.  The second ends the places of
 * all objects of an origin that lie in [lo, hi). */
void ompp_range_begin_rest(const char *name, enum ompp_origin origin, uintptr_t lo, uintptr_t hi, uint32_t owner);
void ompp_range_end_rest(enum ompp_origin origin, uintptr_t lo, uintptr_t hi);

/* The first puts a block of a site into force, as a place of the site's object; blocks that lay there have ended.  The
 * second ends the block that begins at the address.  Other calls leave blocks as they are.
 * ticks: when it ended */
void ompp_range_begin_block(struct ompp_site *site, uintptr_t address, size_t n_bytes,
                            const struct ompp_tracked_by *by);
void ompp_range_end_block(uintptr_t address, uint64_t ticks);

/* Returns the cover of an address that has no name: of the object of the site that allocated a block there, when the
 * block is smaller than ompp_range_least_block, as such blocks have no ranges; else OMPP_OBJECT_OTHER. */
uint32_t ompp_range_block_cover(uintptr_t address);

/* Returns the same of a time stamp, for a block that is there now and was there then (ompp_block_is_older); of others
 * nobody knows.  It takes no lock, so a block's site must have its cover from the next function. */
uint32_t ompp_range_block_covered(uintptr_t address, uint64_t stamp);

/* Returns the cover of a site's object, which it makes when it is asked for the first time; OMPP_OBJECT_OTHER without
 * memory. */
uint32_t ompp_range_site_cover(struct ompp_site *site);

/* Returns the row of that cover, for grain.h; 0 when the site has none. */
uint32_t ompp_range_site_row(struct ompp_site *site);

extern size_t ompp_range_least_block; /* bytes; set once, before the first block */

/* Calls `each` for each range of memory with a name that is in force, those of one object one after another, under the
 * lock.  Returns 0, or -1 when another thread does not give the lock back for some time, or this thread has it. */
int ompp_ranges_each(void (*each)(void *context, const struct ompp_range *range), void *context);

/* Checks that the pieces of memory are what the ranges say (base/check.h). */
#ifdef OMPP_DEBUG
void ompp_ranges_check(void);
#else
#define ompp_ranges_check() ((void)0)
#endif

/* Hold the lock around fork(). */
void ompp_ranges_before_fork(void);
void ompp_ranges_after_fork(void);

/* Returns how many ranges the program itself has named, in a forked child since the fork, which calls the other one.
 * Lock-free. */
uint64_t ompp_ranges_n_named(void);
void ompp_ranges_in_child(void);

/* Returns the segment of a copy of the small blocks in a page that has names, too (mixed.h); NULL when there can be
 * none, or somebody is at work with ranges. */
const struct ompp_segment *ompp_access_mix(uintptr_t address);

#endif
