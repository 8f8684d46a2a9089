/*
 * Merge data: the data objects of several profiles as one, and their accesses, shared lines and patterns.  It is a part
 * of merge.c.
 *
 * Objects are the same when their names are.  Counts are added up and rows stay apart; a sum with a missing term is
 * missing.  An object that one of the profiles could not measure is not measured.
 */
#ifndef OMPP_MERGE_DATA_H
#define OMPP_MERGE_DATA_H

#include <stddef.h>

#include "reports/profile/profile.h"

/* Maps the indices of one profile to those of the result, with the name of its process there. ompp_merge_data() fills
 * in the objects, and ompp_merge_rows() the samples. */
struct ompp_merge_map {
	uint32_t *regions, *nodes, *cells, *metrics, *objects, *samples, first_row;
	int is_same_process; /* 1 when the result is of one process, too, so that all members have a meaning */
	char process[16];
};

/* Returns the name of a process, the separator and a text as one; NULL without memory. */
const char *ompp_merge_prefixed(const char *process, const char *separator, const char *text, struct ompp_arena *arena);

/* Fills in what out says of data.  The maps are in the order of the profiles.  Returns 0 or -ENOMEM. */
int ompp_merge_data(const struct ompp_profile *profiles, size_t n, struct ompp_merge_map *maps,
                    struct ompp_arena *arena, struct ompp_profile *out);

#endif
