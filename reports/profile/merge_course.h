/*
 * Merge course: the courses of several processes as one, by the time of day.  It is a part of merge.c.
 *
 * Slices of the result are as long as the longest ones.  What a process did in a slice is divided between those of the
 * result in which the slice lies, as if it were even in it.
 */
#ifndef OMPP_MERGE_COURSE_H
#define OMPP_MERGE_COURSE_H

#include <stddef.h>

#include "reports/profile/merge_data.h"
#include "reports/profile/profile.h"

/* Fills in the course of out.  The maps are in the order of the profiles.  Returns 0 or -ENOMEM. */
int ompp_merge_course(const struct ompp_profile *profiles, size_t n, const struct ompp_merge_map *maps,
                      struct ompp_arena *arena, struct ompp_profile *out);

#endif
