/*
 * Gap: the pages between two ranges, as one segment without a name, so that all accesses there are as quick to count as
 * those to one object.  Gaps may overlap, as all of them count to the same row.  A gap ends when a range begins or ends
 * in it or beside it.  They are not used where memory without a name may have small blocks (grain.h).
 */
#ifndef OMPP_RANGES_GAP_H
#define OMPP_RANGES_GAP_H

#include <stdint.h>

#include "runtime/data/segment.h"

/* Returns the gap around an address, if it is known; else NULL.  Lock-free. */
const struct ompp_segment *ompp_gap_known(uintptr_t address);

/* Returns the gap around an address, which has no name; NULL when its page is beside a range, or there are too many
 * gaps. Under the lock of range.c, as all that follows. */
const struct ompp_segment *ompp_gap_make(uintptr_t address);

/* Ends the gaps that have a page of [lo, hi), or the page before or behind. */
void ompp_gaps_end(uintptr_t lo, uintptr_t hi);

#endif
