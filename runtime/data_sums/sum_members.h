/*
 * Members: sums of the accesses to members of structures, by call path and row (access/access_member.h).
 */
#ifndef OMPP_DATA_SUMS_SUM_MEMBERS_H
#define OMPP_DATA_SUMS_SUM_MEMBERS_H

#include <stdint.h>

#include "runtime/sums/sum_merge.h"

/* Adds what a thread has counted.  path and row have an entry for each of the thread's nodes, by the node's index. */
void ompp_merge_members(struct ompp_merge *merge, const struct ompp_thread *t, const uint32_t *path,
                        const uint32_t *row, uint32_t n_nodes);

/* Fills in the profile's structures, when its objects are known.  Returns 0 or -ENOMEM. */
int ompp_collect_members(struct ompp_merge *merge, struct ompp_profile *profile, const uint32_t *region_index);

#endif
