/*
 * Merge rows: the rows of a kind of several profiles as one list in order, in which those for the same are added up.
 * It is a part of merge.c.
 */
#ifndef OMPP_MERGE_ROWS_H
#define OMPP_MERGE_ROWS_H

#include <stddef.h>

#include "reports/profile/merge_data.h"

/* A kind of rows. */
struct ompp_merge_rows {
	size_t n_bytes;      /* of a row */
	size_t list, n_list; /* where a profile has the pointer to them, and their number */
	void (*map)(void *row, const struct ompp_merge_map *map); /* puts in the numbers that they have in the sum */
	int (*compare)(const void *a, const void *b);
	void (*add)(void *sum, const void *row); /* of those that compare as the same; NULL where these stay apart */
	/* Says whether those of a profile are to be in the sum; NULL where all are. */
	int (*are_meant)(const struct ompp_profile *p, const struct ompp_profile *out);
};

/* Fills in the list of out.  The maps are in the order of the profiles.  Returns 0 or -ENOMEM. */
int ompp_merge_rows(const struct ompp_merge_rows *kind, const struct ompp_profile *profiles, size_t n,
                    const struct ompp_merge_map *maps, struct ompp_arena *arena, struct ompp_profile *out);

#endif
