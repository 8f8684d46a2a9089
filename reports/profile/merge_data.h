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

/* Where the things of one profile are in the result, and what its process is called there. */
struct ompp_merge_map { uint32_t *regions, *nodes, *metrics, first_row; char process[16]; };

/* A text of one process: its name, the separator, the text; NULL without memory. */
const char *ompp_merge_prefixed(const char *process, const char *separator, const char *text, struct ompp_arena *arena);

/* Fill in what out says of data; maps by profile.  0 or -ENOMEM. */
int ompp_merge_data(const struct ompp_profile *profiles, size_t n, const struct ompp_merge_map *maps,
                    struct ompp_arena *arena, struct ompp_profile *out);

#endif
