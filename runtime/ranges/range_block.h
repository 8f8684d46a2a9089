/*
 * Range, block: the blocks of memory that sites allocate, as places of the sites' objects.
 *
 * A block of at least ompp_range_least_block bytes has a range; the site of a smaller one is looked up when it is
 * accessed (data/block.h, data/grain.h).
 */
#ifndef OMPP_RANGES_RANGE_BLOCK_H
#define OMPP_RANGES_RANGE_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/data/tracked.h"

struct ompp_site;

/* The first makes a new block of a site a place of the site's object; older blocks there have ended.  The second ends
 * the block that begins at the address.  Other calls do not change blocks.
 * ticks: when it ended */
void ompp_range_begin_block(struct ompp_site *site, uintptr_t address, size_t n_bytes,
                            const struct ompp_tracked_by *by);
void ompp_range_end_block(uintptr_t address, uint64_t ticks);

/* Returns the cover of an address that has no name: if it is in a block smaller than ompp_range_least_block, which has
 * no range, the cover of the object of the block's site; else OMPP_OBJECT_OTHER. */
uint32_t ompp_range_block_cover(uintptr_t address);

/* Returns the same for the time of a stamp, if the present block was already there (ompp_block_is_older); older blocks
 * are not known.  It takes no lock, so the site must already have its cover from the next function. */
uint32_t ompp_range_block_covered(uintptr_t address, uint64_t stamp);

/* Returns the cover of a site's object, and creates it at the first call; OMPP_OBJECT_OTHER without memory. */
uint32_t ompp_range_site_cover(struct ompp_site *site);

/* Returns the row of that cover, for grain.h; 0 when the site has none. */
uint32_t ompp_range_site_row(struct ompp_site *site);

extern size_t ompp_range_least_block; /* bytes; set once, before the first block */

/* Removes [lo, hi) from all blocks, under the lock of range_set.h.  What is left of them before and after stays in
 * force. */
void ompp_ranges_cut_blocks(uintptr_t lo, uintptr_t hi);

#endif
