/*
 * Mapping: the program's mappings (mmap), any part of which it may unmap at any time.
 *
 * A mapping counts as a block of its site (block.h) as long as a part of it is left.  Each remaining part is in the
 * table of blocks, and is a range if a block of its size would be.  All calls keep errno.  They take the lock of
 * range.c, so in a signal handler that interrupted one of our calls they do nothing.
 */
#ifndef OMPP_RANGES_RANGE_MAPPING_H
#define OMPP_RANGES_RANGE_MAPPING_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/treap.h"

struct ompp_mapped {
	struct ompp_treap tree; /* by lo */
	uintptr_t lo, hi;       /* hi is not included */
	uint32_t site;
	int is_cut;                               /* removed from all tables; waits for the result of the system call */
	int is_last;                              /* when it is cut: it was the last part of its mapping */
	struct ompp_mapped *part, *previous_part; /* the parts of one mapping form a ring */
	struct ompp_mapped *next;                 /* in the list of parts cut at the same time, or in the free list */
};

/* Adds a mapping where nothing was mapped.  Returns 0, or -1 when that failed. */
int ompp_mapping_put(uintptr_t lo, size_t n_bytes, uint32_t site);

/* Removes [lo, hi) from all mappings, and returns the removed parts in order of address; NULL when there are none.
 * What is left of the mappings keeps its site.  ranges: 1 when parts may have ranges */
struct ompp_mapped *ompp_mappings_cut(uintptr_t lo, uintptr_t hi, int ranges);

/* The first puts the removed parts back, as they are still mapped; the caller restores their ranges.  The second
 * discards them, and tells for each part whether it was the last one of its mapping, and its size. */
void ompp_mappings_keep(struct ompp_mapped *cut);
void ompp_mappings_drop(struct ompp_mapped *cut, void (*ended)(uint32_t site, size_t n_bytes, int is_last));

#endif
