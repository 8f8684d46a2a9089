/*
 * Tracked: blocks of memory whose accesses are counted separately from those of other blocks of their site; reports
 * call them instances.
 *
 * A tracked block has its own covers (object.h), with the same objects as other blocks of its site, so that accesses to
 * it have their own rows in the tallies.  Hooks do no more work than for other blocks, and the sum over the covers of
 * an object stays the same.  The number of tracked blocks is limited.  When a site reaches its limit, blocks that have
 * ended and have no unusual counts give their entries to others; the counts up to then are the base of the next block.
 *
 * Places are never freed.  All calls but ompp_tracked() are under the lock of range.c.
 */
#ifndef OMPP_DATA_TRACKED_H
#define OMPP_DATA_TRACKED_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/terms/access_fields.h"

/* The counts of a block: the first fields of enum ompp_access_field, then the misses of the modelled caches. */
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
	int is_kept; /* 1 when it is not a new block, but one that had ended and continues */
};

/* Members are written under the lock, and reports read them without it (a seqlock): `generation` is odd while the entry
 * is given to another block. */
struct ompp_tracked {
	uint32_t site;
	uint32_t generation; /* changes with each block that gets this entry */
	uint32_t n_parts;    /* ranges in force; 0 when the block has ended */
	uint32_t thread, node;
	uint32_t is_partial; /* 1 when some of its accesses may be counted elsewhere */
	uint32_t is_free;    /* 1 while no block has this entry */
	uint32_t cover;      /* the newest of its covers; 0 for none */
	uint32_t next;       /* of the same site; 0 for none, as for the next one */
	uint32_t next_free;
	uint64_t order; /* number of the allocation at its site, from 1 */
	uintptr_t address;
	size_t n_bytes;
	uint64_t begun_ticks, ended_ticks;     /* ended_ticks is 0 while it lives, and when it is not known */
	uint64_t base[OMPP_TRACKED_FIELDS];    /* the counts of earlier blocks in this entry */
	uint64_t counted[OMPP_TRACKED_FIELDS]; /* set by ompp_tracked_counting */
	uint64_t n_sampled;                    /* the same, for this block only */
};

/* Sets how many blocks of a site may be tracked, 0 for none, and how many in all, OMPP_MAX_TRACKED at most.  Called
 * once, before the first block. */
void ompp_tracked_start(uint32_t most_per_site, uint32_t most_in_all);

/* Sums the counts of all threads for the ended blocks of a site into `counted`, which includes the base, and their
 * samples into `n_sampled`.  While it is NULL, no entry is reused. */
extern void (*ompp_tracked_counting)(uint32_t site);

/* The total size of all tallies; above OMPP_TRACKED_MOST_BYTES no new entries are created, as each makes tallies
 * larger. */
extern _Atomic size_t ompp_tallies_bytes;
enum { OMPP_TRACKED_MOST_BYTES = 64 << 20 };

/* Returns a tracked block by its index, from 1 on up to ompp_n_tracked(). */
struct ompp_tracked *ompp_tracked(uint32_t index);
uint32_t ompp_n_tracked(void);

/* Reports that a site has allocated a block that gets ranges.  Returns the block's index; 0 when it is not tracked. */
uint32_t ompp_tracked_begin(struct ompp_site *site, uintptr_t address, size_t n_bytes,
                            const struct ompp_tracked_by *by);

/* Report that a range of the block comes into force, and that one ends; index 0 means no block. */
void ompp_tracked_part(uint32_t index);
void ompp_tracked_part_ended(uint32_t index);

/* Reports the end time of a block whose last range has ended. */
void ompp_tracked_ended(uint32_t index, uint64_t ticks);

/* Reports that some accesses to the block may be counted elsewhere. */
void ompp_tracked_lose(uint32_t index);

/* Returns the cover for memory shared by a tracked block and other objects.
 * objects: in ascending order */
uint32_t ompp_tracked_cover(uint32_t index, const uint32_t *objects, uint32_t n);

/* Adds the words of a tally's row to fields. */
void ompp_tracked_add(uint64_t fields[OMPP_TRACKED_FIELDS], const uint64_t *words);

/* Resets all counts to the blocks that exist now, in a forked child. */
void ompp_tracked_after_fork(void);

#endif
