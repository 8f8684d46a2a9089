/*
 * Mapping: what the program has mapped (mmap) and not unmapped, of which it may unmap any part at any time.
 *
 * A mapping is a block of its site (block.h) as long as a part of it is left; each part that is left is in the table of
 * blocks, and in force as a range where the block would be.  All calls keep errno.  They take the lock of ranges, so in
 * a signal handler inside one of our calls they do nothing.
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
	int is_cut;                               /* it is in no table any more, and waits for the kernel's answer */
	int is_last;                              /* when it is cut: nothing is left of its mapping */
	struct ompp_mapped *part, *previous_part; /* the parts of the same mapping are a ring */
	struct ompp_mapped *next;                 /* of those that were cut out at the same time, or are free */
};

/* Notes a mapping where nothing is mapped.  Returns 0, or -1 when it could not be. */
int ompp_mapping_put(uintptr_t lo, size_t n_bytes, uint32_t site);

/* Cuts [lo, hi) out of all mappings, and returns what was cut out of each, by address; NULL when that is nothing.  What
 * is left of them keeps its site.  ranges: 1 when parts may be in force as ranges */
struct ompp_mapped *ompp_mappings_cut(uintptr_t lo, uintptr_t hi, int ranges);

/* The first puts what was cut out back, as it is mapped all the same; ranges are the caller's to put back.  The second
 * gives it up: it tells for each part whether that was the last one, and its size. */
void ompp_mappings_keep(struct ompp_mapped *cut);
void ompp_mappings_drop(struct ompp_mapped *cut, void (*ended)(uint32_t site, size_t n_bytes, int is_last));

#endif
