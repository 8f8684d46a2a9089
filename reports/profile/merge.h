/*
 * Merge: the profiles of several processes, usually MPI ranks, as one.
 *
 * Times and counts add up; rows stay apart, as "r0:2", "r1:0"; the duration is the longest one.  Regions are the same
 * when construct, file, lines and name are; call paths when their regions are; data objects when their names are.
 */
#ifndef OMPP_MERGE_H
#define OMPP_MERGE_H

#include <stddef.h>

#include "reports/profile/profile.h"

/* out lives as long as the profiles and the arena.  0 or -ENOMEM. */
int ompp_profile_merge(const struct ompp_profile *profiles, size_t n, struct ompp_arena *arena,
                       struct ompp_profile *out);

#endif
