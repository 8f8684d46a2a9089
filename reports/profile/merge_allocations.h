/*
 * Merge allocations: adds up, over the processes of one run, the blocks of memory that each place allocated.
 */
#ifndef OMPP_MERGE_ALLOCATIONS_H
#define OMPP_MERGE_ALLOCATIONS_H

#include <stddef.h>

#include "reports/profile/merge_data.h"

/* Fills in what out says of allocations.  Places with the same name and call path are merged; the peak is the largest
 * of theirs, as it is not known whether the processes' peaks were at the same time.  The maps are in the order of the
 * profiles, with their objects filled in.  Returns 0 or -ENOMEM. */
int ompp_merge_blocks(const struct ompp_profile *profiles, size_t n, struct ompp_merge_map *maps,
                      struct ompp_arena *arena, struct ompp_profile *out);

#endif
