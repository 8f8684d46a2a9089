/*
 * Placing: the ways in which the memory of a data object can be laid out over places (places.h), what share of its
 * accesses would be far by each, and which one is best.
 *
 * The input is a list of cells.  A cell is the number of accesses that memory may have answered, from one place to some
 * pages of one block, in one region and one slice of time.  Far accesses cost 1 each, near ones nothing.  The cost of
 * each layout follows from the cells alone:
 *
 *   node         all pages on the place that accesses them most
 *
 *   interleave   pages on all places in turn: each access is near by chance, 1 of n
 *
 *   parts        all blocks are cut into parts in the same way, and each part is on one place
 *
 *   blocks       each block on the place that accesses it most; blocks are told by the order in which they begin
 *
 *   allocator    each block on the place of the thread that allocates it
 *
 *   touch        each page where a thread touches it first that uses it in the region that uses the object most: what a
 *                parallel initialisation with that region's schedule gives.  A page that several places use there is
 *                touched by each of them with the probability of its share
 *
 *   move         pages move when another place begins to use them: a sixteenth of a block at a time, when that is
 *                cheaper than to stay.  A moved page costs as much as far accesses to all of its lines
 *
 *   copies       a copy for each place that uses it, of what is written once and read afterwards; a page that is copied
 *                costs the same
 *
 * The best way is the one that costs least: its share of far accesses, and an eighth of what the busiest place has to
 * answer beyond its even share.  So a layout that puts all on one place must have a share of far accesses that is lower
 * by some percentage points (up to 9 with 4 places) than one that spreads the load: queues at one memory cost time,
 * too, but less than distance while they are short.
 *
 * A choice fits the measured run better than the next one (overfitting).  So it is cross-validated: places are chosen
 * by one half of the samples, and the share of far accesses is measured on the other half, and the other way round.
 * Then random accesses make no layout look better than it will be.
 */
#ifndef OMPP_PLACING_H
#define OMPP_PLACING_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/arena.h"

enum ompp_way {
	/* what ompp place can do */
	OMPP_WAY_INTERLEAVE,
	OMPP_WAY_NODE,
	OMPP_WAY_PARTS,
	OMPP_WAY_BLOCKS,
	OMPP_WAY_ALLOCATOR,
	/* what the program has to do */
	OMPP_WAY_TOUCH,
	OMPP_WAY_COPIES,
	OMPP_WAY_MOVE,
	OMPP_N_WAYS
};
enum { OMPP_N_PLACED_WAYS = OMPP_WAY_ALLOCATOR + 1 };

enum { OMPP_PLACING_SLOTS = 240, OMPP_PLACING_GROUPS = 16 }; /* parts of a block that are told apart at most */

struct ompp_placing_cell {
	uint32_t block; /* index */
	uint32_t region, slice;
	uint32_t from;          /* place */
	uint64_t page, n_pages; /* of the block's pages; n_pages may be 0 of a block without pages */
	uint64_t n;             /* samples */
	int64_t all, half;      /* accesses; those of about half of the samples */
};

struct ompp_placing_block {
	uint32_t order;     /* among the blocks of the object; ascending */
	uint32_t allocator; /* place of the thread that allocated it, or OMPP_NONE */
	uint64_t n_pages;
};

struct ompp_placing {
	uint32_t n_places;
	const struct ompp_placing_cell *cells;
	size_t n_cells;
	const struct ompp_placing_block *blocks;
	uint32_t n_blocks;
	const uint64_t *executions; /* by region + 1: how often it was executed; NULL when not known */
	uint32_t n_regions;
	int is_exact;        /* 1 when all accesses were counted */
	int is_ordered;      /* 1 when the order of blocks is that of each run */
	int is_allocated;    /* 1 when blocks can be placed when they are allocated */
	int is_read_only;    /* 1 when it is written once, and read afterwards */
	uint32_t page_lines; /* cache lines of a page */
};

/* A run of neighbouring parts of a block, or of blocks, on one place. */
struct ompp_placing_run {
	uint32_t place, n;
};

struct ompp_choice {
	int64_t far[OMPP_N_WAYS]; /* share of far accesses, in 10^-9; moves and copies are included, so it may be above
	                             10^9; OMPP_MISSING when not known */
	int64_t error[OMPP_N_WAYS]; /* its standard error */
	int64_t most[OMPP_N_WAYS];  /* share of the accesses that the busiest place's memory has to answer; or
	                               OMPP_MISSING */
	int can[OMPP_N_WAYS];       /* 1 when OMPP_PLACE can do it */
	enum ompp_way best;         /* of all; OMPP_N_WAYS when nothing is known */
	enum ompp_way best_placed;  /* of those that can be done */
	uint32_t node;              /* of NODE */
	const struct ompp_placing_run *parts, *blocks;
	uint32_t n_parts, n_blocks;
	int64_t in_turn; /* share of accesses by the place that has most of them in its slice and region, in 10^-9 */
	uint64_t n;      /* samples */
	uint32_t n_used_slots; /* slots that have accesses, of all blocks together */
};

/* Accesses of all cells together, pages of all blocks together, and executions of a region, at most. */
#define OMPP_PLACING_MOST_ACCESSES   (INT64_C(1) << 50)
#define OMPP_PLACING_MOST_PAGES      (UINT64_C(1) << 40)
#define OMPP_PLACING_MOST_EXECUTIONS (UINT64_C(1) << 16)

enum { OMPP_PLACING_LEAST_SAMPLES = 100 };

/* Is the share of far accesses high enough to report a choice?  All shares in 10^-9; n samples. */
int ompp_placing_is_far(uint64_t n, int64_t share, int64_t error, int64_t far_min);

/* Where an object is written: collected region by region, with all accesses of each region. */
struct ompp_placing_writing {
	int64_t most;
	int n_writing, does_most; /* regions that write; 1 when the one with most accesses does */
};
void ompp_placing_note_region(struct ompp_placing_writing *writing, int64_t all, int64_t stores);

/* Returns 1 when it is written in one region alone, or outside of all, and mostly used in another one. */
int ompp_placing_is_read_only(const struct ompp_placing_writing *writing);

/* Returns n_pages, limited to the most pages that one of n blocks may have. */
uint64_t ompp_placing_few_pages(uint64_t n_pages, uint32_t n_blocks);

/* Divides the accesses of all cells so that no sum overflows. */
void ompp_placing_shrink(struct ompp_placing_cell *cells, size_t n);

/* Makes the choice.  Returns 0 or -ENOMEM. */
int ompp_placing_choose(const struct ompp_placing *in, struct ompp_arena *arena, struct ompp_choice *out);

/* Returns the cost of a layout from its share of far accesses and the share that the busiest place answers, all in
 * 10^-9. */
int64_t ompp_placing_cost(int64_t far, int64_t most, uint32_t n_places);

/* Returns the layout as OMPP_PLACE takes it, "node:1" or "parts:0+1*3", or a word for a way that OMPP_PLACE cannot do;
 * "" when the way is not known, NULL without memory. numbers: of places */
const char *ompp_placing_text(const struct ompp_choice *choice, enum ompp_way way, const uint32_t *numbers,
                              struct ompp_arena *arena);

/* Returns "parts" and so on. */
const char *ompp_placing_name(enum ompp_way way);

#endif
