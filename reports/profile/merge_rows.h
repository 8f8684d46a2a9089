/*
 * Merge rows: the records of a section of several profiles as one list in order, in which those for the same are added
 * up.  It is a part of merge.c.
 */
#ifndef OMPP_MERGE_ROWS_H
#define OMPP_MERGE_ROWS_H

#include "reports/profile/merge_data.h"
#include "reports/profile/schema.h"

/* Fills in the list of out, of those profiles that are meant, or of all when are_meant is NULL.  The maps are in the
 * order of the profiles; those of SAMPLES are filled in.  Returns 0 or -ENOMEM. */
int ompp_merge_rows(enum ompp_section section, const struct ompp_profile *profiles, size_t n,
                    struct ompp_merge_map *maps, struct ompp_arena *arena, struct ompp_profile *out,
                    int (*are_meant)(const struct ompp_profile *p, const struct ompp_profile *out));

/* Puts the indices of a record in that they have in the sum, and 0 in what processes have nothing in common of. */
void ompp_merge_map_record(enum ompp_section section, void *record, const struct ompp_merge_map *map);

#endif
