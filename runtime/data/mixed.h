/*
 * Mixed: a page that has both names and small blocks, as where a larger block begins or ends beside smaller ones.
 *
 * The table of pages has a list for it, which is slow to go through.  So where hooks come to small blocks there often,
 * a copy is made of the words of those grains that have no name (grain.h), and with it a segment as pages without names
 * have: a second way leads there (ompp_mixed_way).  What the copy does not know, names above all, has OMPP_GRAIN_ASK.
 * Nobody mends a copy: it ends when the page gets another list, or another word, and is made anew later.
 */
#ifndef OMPP_DATA_MIXED_H
#define OMPP_DATA_MIXED_H

#include <stdint.h>

#include "runtime/data/grain.h"

struct ompp_mixed {
	struct ompp_grain_segment own; /* its grains are the words below */
	struct ompp_mixed *next;       /* of all */
	uint32_t word[OMPP_GRAINS];
};

/* Returns which way leads to the copy of a page; that of the page itself leads to a segment with a name. */
static inline unsigned int ompp_mixed_way(uintptr_t address)
{
	return ompp_way(address) ^ OMPP_WAYS / 2;
}

/* Makes the copy for a page that has this list, and returns its segment; NULL where that cannot be, or is of no use.
 * Under the lock of range.c, as what follows. */
const struct ompp_segment *ompp_mixed_make(uintptr_t page, struct ompp_list *list);

/* Ends the copies of the pages in [lo, hi). */
void ompp_mixed_end(uintptr_t lo, uintptr_t hi);

#endif
