/*
 * Tracked: blocks of memory whose accesses are told apart from those of the other blocks of their site: reports call
 * them instances.
 *
 * A tracked block has covers of its own (object.h), with the same objects as its site's blocks have, so that accesses
 * to it have rows of their own in the tallies.  Hooks do no more than for other blocks, and a sum over the covers of an
 * object is what it was.  The number of tracked blocks is bounded.  Where the bound of a site is met, those that have
 * ended and do not stand out give their place to others; what was counted until then is the base of the next one.
 *
 * Places are never given back.  Everything but ompp_tracked() is under the lock of range.c.
 */
#ifndef OMPP_DATA_TRACKED_H
#define OMPP_DATA_TRACKED_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/terms/access_fields.h"

/* What is counted of a block: the first fields of an access, and behind them the misses of the modelled caches. */
enum {
	OMPP_MAX_TRACKED = 4096,
	OMPP_TRACKED_MISSES = OMPP_ACCESS_ATOMIC_BYTES + 1,
	OMPP_TRACKED_FIELDS = OMPP_TRACKED_MISSES + OMPP_ACCESS_LEVELS
};

struct ompp_site;

/* Who allocates a block, and when. */
struct ompp_tracked_by {
	uint32_t thread, node; /* as in a site */
	uint64_t ticks;
	int is_kept; /* 1 when it is no new block, but one that had ended and goes on */
};

/* Members are written under the lock, and reports read them without it: `generation` is odd while a place gets
 * another block. */
struct ompp_tracked {
	uint32_t site;
	uint32_t generation; /* counts the blocks that had this place */
	uint32_t n_parts;    /* ranges in force; 0 when the block has ended */
	uint32_t thread, node;
	uint32_t is_partial; /* 1 when some of its accesses may be counted elsewhere */
	uint32_t is_free;    /* 1 while no block has this place */
	uint32_t cover;      /* the newest of its covers; 0 for none */
	uint32_t next;       /* of the same site; 0 for none, as for the next one */
	uint32_t next_free;
	uint64_t order; /* number of the allocation at its site, from 1 */
	uintptr_t address;
	size_t n_bytes;
	uint64_t begun_ticks, ended_ticks;     /* ended_ticks is 0 while it lives, and where nobody knows */
	uint64_t base[OMPP_TRACKED_FIELDS];    /* what blocks counted that had this place before */
	uint64_t counted[OMPP_TRACKED_FIELDS]; /* what ompp_tracked_counting found */
	uint64_t n_sampled;                    /* the same; of this block alone */
};

/* Sets how many blocks of a site may be tracked, 0 for none, and how many in all, OMPP_MAX_TRACKED at most.  Called
 * once, before the first block. */
void ompp_tracked_start(uint32_t most_per_site, uint32_t most_in_all);

/* Adds up what all threads have counted by now for the ended blocks of a site, into `counted`, which has the base in
 * it, and their samples into `n_sampled`.  While it is NULL no place is used again. */
extern void (*ompp_tracked_counting)(uint32_t site);

/* Bytes of all tallies; when these are more than OMPP_TRACKED_MOST_BYTES, no further places are made, as each makes
 * tallies larger. */
extern _Atomic size_t ompp_tallies_bytes;
enum { OMPP_TRACKED_MOST_BYTES = 64 << 20 };

/* Returns a tracked block by its index, from 1 on up to ompp_n_tracked(). */
struct ompp_tracked *ompp_tracked(uint32_t index);
uint32_t ompp_n_tracked(void);

/* Tells that a site has allocated a block of which ranges are made.  Returns its index; 0 when it is not tracked. */
uint32_t ompp_tracked_begin(struct ompp_site *site, uintptr_t address, size_t n_bytes,
                            const struct ompp_tracked_by *by);

/* Tell that a range of the block comes into force, and that one goes; an index of 0 is none. */
void ompp_tracked_part(uint32_t index);
void ompp_tracked_part_ended(uint32_t index);

/* Tells when the block ended whose last range has gone. */
void ompp_tracked_ended(uint32_t index, uint64_t ticks);

/* Tells that accesses to the block may be counted elsewhere. */
void ompp_tracked_lose(uint32_t index);

/* Returns the cover of memory that a tracked block and other objects lie over.
 * objects: in ascending order */
uint32_t ompp_tracked_cover(uint32_t index, const uint32_t *objects, uint32_t n);

/* Adds the words of a tally's row to fields. */
void ompp_tracked_add(uint64_t fields[OMPP_TRACKED_FIELDS], const uint64_t *words);

/* Lets all counts begin anew with the blocks that there are: in a forked child. */
void ompp_tracked_after_fork(void);

#endif
