/*
 * Merge data: the data objects of several profiles as one, and their accesses and shared lines.  Part of merge.c.
 *
 * Objects are the same when their names are.  Counts add up, rows stay apart; what is missing in one is missing in the
 * sum.  An object that one of the profiles could not measure is not measured.
 */
#ifndef OMPP_MERGE_DATA_H
#define OMPP_MERGE_DATA_H

#include <stddef.h>

#include "reports/profile/profile.h"

/* Where the things of one profile are in the result. */
struct ompp_merge_map { uint32_t *regions, *nodes, *metrics, first_row; };

/* A text of one rank: "r<rank>", the separator, the text; NULL without memory. */
const char *ompp_merge_prefixed(int rank, const char *separator, const char *text, struct ompp_arena *arena);

/* Fill in what out says of data; maps by profile.  0 or -ENOMEM. */
int ompp_merge_data(const struct ompp_profile *profiles, size_t n, const struct ompp_merge_map *maps,
                    struct ompp_arena *arena, struct ompp_profile *out);

#endif
