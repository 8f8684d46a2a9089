/*
 * Gap: the pages between two ranges, as one segment without a name, so that accesses there are counted as fast as those
 * to one object.  Gaps may overlap, as all of them count into the same row.  A gap ends when a range begins or ends in
 * it or beside it.  There are no gaps where memory without a name may contain small blocks (grain.h).
 */
#ifndef OMPP_RANGES_GAP_H
#define OMPP_RANGES_GAP_H

#include <stdint.h>

#include "runtime/data/segment.h"

/* Returns the gap around an address, if it is known; else NULL.  Lock-free. */
const struct ompp_segment *ompp_gap_known(uintptr_t address);

/* Returns the gap around an address, which has no name; NULL when its page is beside a range, or there are too many
 * gaps.  Under the lock of range.c, like the functions below. */
const struct ompp_segment *ompp_gap_make(uintptr_t address);

/* Ends the gaps that contain a page of [lo, hi), or the page before or after it. */
void ompp_gaps_end(uintptr_t lo, uintptr_t hi);

#endif
