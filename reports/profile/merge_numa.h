/*
 * Merge NUMA: who uses whose memory, where pages are and where threads ran, of several profiles as one.  It is a part
 * of merge.c.
 *
 * Rows stay apart, and objects are the same when their names are.  Nodes of one number are the same, also where the
 * processes ran on several hosts: then node 0 is that of each one's own host.
 */
#ifndef OMPP_MERGE_NUMA_H
#define OMPP_MERGE_NUMA_H

#include <stddef.h>

#include "reports/profile/merge_data.h"

/* Fills in what out says of it, when its samples are known: uses of profiles whose samples were left out are left out,
 * too.  The maps are in the order of the profiles.  Returns 0 or -ENOMEM. */
int ompp_merge_numa(const struct ompp_profile *profiles, size_t n, const struct ompp_merge_map *maps,
                    struct ompp_arena *arena, struct ompp_profile *out);

#endif
