/*
 * Front: the line that was used last in each set of the modelled first-level cache, for hooks.
 *
 * An access to this line hits and does not change the LRU order, so that a hook can count it without calling the model.
 * Each set has a segment (data/tally.h) for the part of its line that has one cover.  The model's slow path writes it,
 * and the tally's ways may point to it; its contents always agree with the thread's model.  Its limits are 0 while
 * nothing is known.
 *
 * The thread writes its fronts; other threads set limits to 0 when a name ends.  A front that its thread writes at the
 * same moment may stay valid until the thread's next slow path, which sees that names changed and clears all fronts.
 */
#ifndef OMPP_DATA_FRONT_H
#define OMPP_DATA_FRONT_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/data/first.h"
#include "runtime/data/tally.h"

struct ompp_cache_geometry;
struct ompp_ways;

enum {
	OMPP_FRONT_PAGES = 2048,
	OMPP_FRONT_COVERS = 1024, /* minimum number of rows in each tally while there are fronts */
	OMPP_FRONT_LOADS = 1      /* in a front's `cover`: stores must take the slow path */
};

struct ompp_front {
	struct ompp_front *next;         /* all threads' */
	uint64_t n_ends;                 /* ompp_front_n_ends at the last check */
	uint64_t mask;                   /* the number of sets - 1 */
	uint32_t shift, n_ways;          /* of a line; of a set */
	const struct ompp_ways *ways;    /* the thread's, where the fronts are those of reuse; else NULL */
	uint64_t page[OMPP_FRONT_PAGES]; /* pages whose first writer is settled: page << 2 | enum ompp_first; with
	                                  * ways, by set: see unsampled.h */
	struct ompp_segment line[];      /* one a set */
};

/* The number of names that have ended. */
extern uint64_t ompp_front_n_ends;

/* Returns new fronts for the caches; NULL where fronts are not supported (the first level is shared, its number of sets
 * is no power of two or is too large), or without memory.  COLD. */
struct ompp_front *ompp_front_new(const struct ompp_cache_geometry *geometry);

/* Returns new fronts for so many sets, a power of two, of lines of 1 << shift bytes; NULL without memory.  COLD. */
struct ompp_front *ompp_front_make(uint64_t n_sets, uint32_t shift, uint32_t n_ways);

/* Clears the fronts of all threads in [lo, hi), whose names have just ended.  COLD. */
void ompp_front_end(uintptr_t lo, uintptr_t hi);

/* Clears all fronts of the thread. */
void ompp_front_forget(struct ompp_front *front);

/* Returns the front that contains an access, or NULL.
 * slot: OMPP_SLOT_LOAD or OMPP_SLOT_STORE */
static inline const struct ompp_segment *ompp_front_find(const struct ompp_front *front, uintptr_t address,
                                                         unsigned int size, unsigned int slot)
{
	const struct ompp_segment *s = &front->line[address >> front->shift & front->mask];

	if (!ompp_segment_holds(s, address, size))
		return NULL;
	return slot == OMPP_SLOT_LOAD || s->cover != OMPP_FRONT_LOADS ? s : NULL;
}

/* Finds out who wrote a page first. */
enum ompp_first ompp_front_learn(struct ompp_front *front, uint32_t slot, uintptr_t address);

/* Returns who wrote the page of an address first.
 * slot: the thread */
static inline enum ompp_first ompp_front_page(struct ompp_front *front, uint32_t slot, uintptr_t address)
{
	uint64_t page = address >> OMPP_PAGE_BITS, known = front->page[page % OMPP_FRONT_PAGES];

	return __builtin_expect(known >> 2 == page, 1) ? (enum ompp_first)(known & 3)
	                                               : ompp_front_learn(front, slot, address);
}

/* Clears all fronts when names have ended.  Afterwards, segments that ended before have limits of 0. */
static inline void ompp_front_renew(struct ompp_front *front)
{
	uint64_t n_ends = __atomic_load_n(&ompp_front_n_ends, __ATOMIC_ACQUIRE);

	if (__builtin_expect(front->n_ends != n_ends, 0)) {
		front->n_ends = n_ends;
		ompp_front_forget(front);
	}
}

/* Returns 1 when an access lies within one line. */
static inline int ompp_front_is_line(const struct ompp_front *front, uintptr_t address, size_t n_bytes)
{
	return !((address ^ (address + (n_bytes - 1))) >> front->shift);
}

/* Sets the limits of a front that is n_bytes long. */
void ompp_front_limit(struct ompp_segment *s, uintptr_t n_bytes);

/* Records that the model accesses this line; clears the front of its set if that is another line. */
static inline void ompp_front_leave(struct ompp_front *front, uintptr_t address)
{
	struct ompp_segment *f = &front->line[address >> front->shift & front->mask];

	if (OMPP_LOAD(&f->limit[0]) && (OMPP_READ(&f->lo) ^ address) >> front->shift)
		ompp_front_limit(f, 0);
}

/* Does the same for each line of a larger access. */
void ompp_front_leave_all(struct ompp_front *front, uintptr_t address, size_t n_bytes);

/* Makes a part of a line of this segment, [lo, hi), the front of its set.  Returns the front for a way, or
 * &ompp_no_segment.  HOT.
 * s: it contained the access after ompp_front_renew(); its row has no flags
 * is_written: 1 when the first writer of the page is settled, so that stores need no check
 * n_covers: the rows that each tally of the thread has at least */
static inline const struct ompp_segment *ompp_front_enter_part(struct ompp_front *front, const struct ompp_segment *s,
                                                               uintptr_t lo, uintptr_t hi, int is_written,
                                                               uint32_t n_covers)
{
	uintptr_t s_lo = OMPP_LOAD(&s->lo), s_hi = OMPP_LOAD(&s->hi);
	struct ompp_segment *f = &front->line[lo >> front->shift & front->mask];

	lo = s_lo > lo ? s_lo : lo;
	hi = s_hi < hi ? s_hi : hi;
	OMPP_STORE(&f->lo, lo);
	f->row = s->row;
	f->cover = is_written ? 0 : OMPP_FRONT_LOADS;
	if (__builtin_expect(OMPP_LOAD(&f->limit[0]) != hi - lo, 0))
		ompp_front_limit(f, hi - lo);
	/* the end of a segment is counted before the struct is reused elsewhere */
	ompp_fence_acquire();
	if (__builtin_expect(front->n_ends != __atomic_load_n(&ompp_front_n_ends, __ATOMIC_RELAXED) ||
	                             s->cover >= n_covers,
	                     0)) {
		ompp_front_limit(f, 0);
		return &ompp_no_segment;
	}
	return is_written ? f : &ompp_no_segment;
}

/* Records that the model accesses one line of this segment, which now replaces the front of its set; the rest is as
 * above.  HOT. */
static inline const struct ompp_segment *ompp_front_enter(struct ompp_front *front, const struct ompp_segment *s,
                                                          uintptr_t address, int is_written)
{
	uintptr_t rest = ((uintptr_t)1 << front->shift) - 1, lo = address & ~rest;

	return ompp_front_enter_part(front, s, lo, lo + rest + 1, is_written, OMPP_FRONT_COVERS);
}

#endif
