/*
 * Block: a table of the memory blocks that the program has allocated and not freed, by address.
 *
 * A block is the result of one allocation: an address, a size, and the site that allocated it.  The table has a word
 * for each address at which a block can begin, in leaves that are allocated on demand.  All calls are lock-free and
 * keep errno, so that any thread may make them, also in a signal handler.
 */
#ifndef OMPP_DATA_BLOCK_H
#define OMPP_DATA_BLOCK_H

#include <stddef.h>
#include <stdint.h>

enum { OMPP_NO_SITE = 0 }; /* numbers of sites begin with 1 */

struct ompp_block {
	uint32_t site;  /* OMPP_NO_SITE: there is no block */
	uint32_t began; /* start time by ompp_block_time(); 0 when it is not needed, and for blocks of 64 KiB or more */
	size_t n_bytes;
};

/* The number of blocks for which the table had no room. */
extern _Atomic uint64_t ompp_n_lost_blocks;

/* Converts a time stamp (host/stamp.h) to the form that blocks store: rounded up to a multiple of 2^18; not 0. */
uint32_t ompp_block_time(uint64_t stamp);

/* Returns 1 when a block began before a time stamp; 0 when it did not, or when that is not certain.  The result is only
 * right for stamps that differ by at most 2^48 (a day of a counter at 3 GHz). */
int ompp_block_is_older(struct ompp_block block, uint64_t stamp);

/* Sets how much memory the table may use; blocks beyond that are lost. */
void ompp_blocks_start(size_t most_bytes);

/* Reserves n_bytes of this memory.  Returns 1 when there was enough left. */
int ompp_blocks_may_take(size_t n_bytes);

/* Adds a block.  Returns the previous block at its address, whose end was not reported, or none. */
struct ompp_block ompp_block_put(uintptr_t address, struct ompp_block block);

/* Removes the block that begins at the address, and returns it. */
struct ompp_block ompp_block_take(uintptr_t address);

/* Removes it and counts it as lost, for lack of room for its data. */
void ompp_block_lose(uintptr_t address);

/* Returns the block that begins at the address. */
struct ompp_block ompp_block_at(uintptr_t address);

/* Returns the block that contains the address; its site is OMPP_NO_SITE when there is none.
 * most_bytes: how far before the address the search goes */
struct ompp_block ompp_block_holding(uintptr_t address, size_t most_bytes);

/* Returns the start of the block that contains the address; 0 when there is none.  most_bytes as above. */
uintptr_t ompp_block_start(uintptr_t address, size_t most_bytes);

#endif
