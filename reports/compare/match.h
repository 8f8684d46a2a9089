/*
 * Match: which regions of two profiles are the same region of the source, although lines may have moved.
 *
 * A region that has a name (a function, a lock, a critical or user region) is matched by construct and name, if these
 * are unique in both profiles.  The others are matched file by file, in the order of their lines, so that the sum of
 * their fits is maximal: by number of lines, clauses, and whether they moved as most regions of the file did.  Regions
 * of different constructs or names never match.
 */
#ifndef OMPP_MATCH_H
#define OMPP_MATCH_H

#include "reports/profile/profile.h"

/* Fills in, for each region of b, the region of a that it is; OMPP_NONE when it is none.  Returns 0 or -ENOMEM. */
int ompp_match(const struct ompp_region *a, size_t n_a, const struct ompp_region *b, size_t n_b, uint32_t *match,
               struct ompp_arena *arena);

#endif
