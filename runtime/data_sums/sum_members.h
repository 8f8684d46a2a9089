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

/* Objects whose memory has other things than the structures of which it should be made, as accesses show: a pool, or
 * several types from one call.  Their members are left out. */
struct ompp_members_unfit {
	size_t n_objects;
	uint32_t object;         /* the first one */
	uint64_t n_all, n_unfit; /* accesses to all of them, and those that fit no member */
};
struct ompp_members_unfit ompp_members_unfit(const struct ompp_merge *merge);

/* Returns 1 when an object of the profile is one of them. */
int ompp_members_are_unfit(const struct ompp_merge *merge, uint32_t object);

#endif
