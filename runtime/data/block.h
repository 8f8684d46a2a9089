/*
 * Block: which blocks of memory the program has allocated and not given back, by their addresses.
 *
 * A block is where one call put it: an address, a size, and the site that allocated it.  The table has a word for each
 * address at which a block can begin, in leaves that are made when they are met.  All calls are lock-free and keep
 * errno, so that any thread may make them, also in a signal handler.
 */
#ifndef OMPP_DATA_BLOCK_H
#define OMPP_DATA_BLOCK_H

#include <stddef.h>
#include <stdint.h>

enum { OMPP_NO_SITE = 0 }; /* numbers of sites begin with 1 */

struct ompp_block {
	uint32_t site;  /* OMPP_NO_SITE: there is no block */
	uint32_t began; /* when, as ompp_block_time() says it; 0 when nobody asks, and for blocks of 64 KiB or more */
	size_t n_bytes;
};

/* How many blocks the table has no room for. */
extern _Atomic uint64_t ompp_n_lost_blocks;

/* The time of a time stamp (host/stamp.h), rounded up to the next multiple of 2^18, as blocks keep it; not 0. */
uint32_t ompp_block_time(uint64_t stamp);

/* Returns 1 when a block began before a time stamp; 0 when it did not, or when that is not sure.  Stamps that differ by
 * more than 2^48 (a day of a counter at 3 GHz) are not told apart. */
int ompp_block_is_older(struct ompp_block block, uint64_t stamp);

/* Sets how much memory the table may take; the rest of the blocks is lost. */
void ompp_blocks_start(size_t most_bytes);

/* Returns 1 when so many of these bytes may still be taken, which they then are. */
int ompp_blocks_may_take(size_t n_bytes);

/* Notes a block.  Returns what the table had at its address before: a block whose end nobody told, or none. */
struct ompp_block ompp_block_put(uintptr_t address, struct ompp_block block);

/* Takes away the block that begins at the address, and returns it. */
struct ompp_block ompp_block_take(uintptr_t address);

/* Takes it away because there is no room for all that belongs to it. */
void ompp_block_lose(uintptr_t address);

/* Returns the block that begins at the address. */
struct ompp_block ompp_block_at(uintptr_t address);

/* Returns the block that holds the address; its site is OMPP_NO_SITE when there is none.
 * most_bytes: blocks that begin farther before the address are not looked for */
struct ompp_block ompp_block_holding(uintptr_t address, size_t most_bytes);

/* Returns where the block begins that holds the address; 0 when there is none.  Blocks that begin farther before it are
 * not looked for, as above. */
uintptr_t ompp_block_start(uintptr_t address, size_t most_bytes);

#endif
