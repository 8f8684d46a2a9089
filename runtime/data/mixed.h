/*
 * Mixed: a page that has both names and small blocks, e.g. where a larger block begins or ends beside smaller ones.
 *
 * The table of pages has a list for such a page, which is slow to search.  So where hooks often access small blocks
 * there, we make a copy of the words of those grains that have no name (grain.h), with a segment like that of a page
 * without names; a second way leads to it (ompp_mixed_way).  All other grains, mainly named ones, have OMPP_GRAIN_ASK
 * in the copy.  A copy is never updated: it ends when the page's list or words change, and is made anew later.
 */
#ifndef OMPP_DATA_MIXED_H
#define OMPP_DATA_MIXED_H

#include <stdint.h>

#include "runtime/data/grain.h"

struct ompp_mixed {
	struct ompp_grain_segment own; /* its `grains` are the words below */
	struct ompp_mixed *next;       /* in the list of all copies */
	uint32_t word[OMPP_GRAINS];
};

/* Returns the index of the way for the copy of a page; the page's ordinary way leads to a segment with a name. */
static inline unsigned int ompp_mixed_way(uintptr_t address)
{
	return ompp_way(address) ^ OMPP_WAYS / 2;
}

/* Makes the copy for a page that has this list, and returns its segment; NULL when that is impossible or useless.
 * Under the lock of range.c, like the functions below. */
const struct ompp_segment *ompp_mixed_make(uintptr_t page, struct ompp_list *list);

/* Ends the copies of the pages in [lo, hi). */
void ompp_mixed_end(uintptr_t lo, uintptr_t hi);

#endif
