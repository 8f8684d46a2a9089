/*
 * Merge: the profiles of several processes, usually MPI ranks, as one.
 *
 * Times and counts add up.  Rows stay apart, as "r0:2" and "r1:0".  The duration is the longest one.  Regions are the
 * same when their construct, file, lines, name and instantiation are the same, call paths when their regions are, data
 * objects when their names are.
 */
#ifndef OMPP_MERGE_H
#define OMPP_MERGE_H

#include <stddef.h>

#include "reports/profile/profile.h"

/* Fills in out, which lives as long as the profiles and the arena.  Returns 0 or -ENOMEM. */
int ompp_profile_merge(const struct ompp_profile *profiles, size_t n, struct ompp_arena *arena,
                       struct ompp_profile *out);

#endif
