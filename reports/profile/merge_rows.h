/*
 * Merge rows: the records of a section of several profiles as one sorted list, in which records with equal keys are
 * added up.  It is a part of merge.c.
 */
#ifndef OMPP_MERGE_ROWS_H
#define OMPP_MERGE_ROWS_H

#include "reports/profile/merge_data.h"
#include "reports/profile/schema.h"

/* Fills in the list of out, from the profiles that are_meant marks, or from all when it is NULL.  The maps are in the
 * order of the profiles; those of SAMPLES are filled in.  Returns 0 or -ENOMEM. */
int ompp_merge_rows(enum ompp_section section, const struct ompp_profile *profiles, size_t n,
                    struct ompp_merge_map *maps, struct ompp_arena *arena, struct ompp_profile *out,
                    int (*are_meant)(const struct ompp_profile *p, const struct ompp_profile *out));

/* Replaces the indices in a record by those in the sum, and sets members that processes cannot have in common to 0. */
void ompp_merge_map_record(enum ompp_section section, void *record, const struct ompp_merge_map *map);

#endif
