/*
 * Unsampled: accesses to lines that are not in the sample of reuse (data/reuse.h).  Hooks count them by themselves, as
 * only their row has to be known.
 *
 * If several accesses in a row are to one group of lines, a part of the group becomes a front (data/front.h), in which
 * accesses cost least.  Accesses that jump from group to group do not have the cost of making fronts.
 */
#ifndef OMPP_DATA_UNSAMPLED_H
#define OMPP_DATA_UNSAMPLED_H

#include "runtime/data/front.h"
#include "runtime/data/reuse.h"
#include "runtime/data/sharing.h"

enum { OMPP_UNSAMPLED_GOES_ON = 3 }; /* so many accesses in a row of a set are in one group, and it gets a front */

/* Counts an access.  Returns 0 when it meets a line of the sample, its row is not known, or its group is to have a
 * front or has one.  HOT. ways: the thread's */
static inline __attribute__((always_inline)) int ompp_unsampled_count(struct ompp_front *front,
                                                                      const struct ompp_ways *ways,
                                                                      struct ompp_tally *tally, uintptr_t address,
                                                                      unsigned int size, unsigned int slot)
{
	uint64_t line = address >> OMPP_REUSE_LINE_BITS, group = line >> OMPP_REUSE_GROUP_BITS;
	uint64_t *last = &front->page[group & front->mask];
	uint32_t row;

	if (line == ompp_reuse_sampled(group) ||
	    (address & ((1u << OMPP_REUSE_LINE_BITS) - 1)) > (1u << OMPP_REUSE_LINE_BITS) - (1u << size))
		return 0;
	if (*last >> 2 != group)
		*last = group << 2;
	else if ((*last & 3) == OMPP_UNSAMPLED_GOES_ON)
		return 0;
	else
		++*last;
	row = ompp_ways_row(ways, address, size);
	if (__builtin_expect(!row || row >= tally->seen_end, 0))
		return 0;
	ompp_tally_count(tally, row, address, size, slot);
	return 1;
}

#endif
