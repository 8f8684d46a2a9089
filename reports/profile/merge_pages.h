/*
 * Merge pages: adds up what profiles of several processes say of the use of their pages, which are not the same pages.
 * It is a part of merge.c.
 */
#ifndef OMPP_MERGE_PAGES_H
#define OMPP_MERGE_PAGES_H

#include <stddef.h>

#include "reports/profile/merge_data.h"

/* Fills in what out says of it.  The maps are in the order of the profiles.  Returns 0 or -ENOMEM. */
int ompp_merge_pages(const struct ompp_profile *profiles, size_t n, const struct ompp_merge_map *maps,
                     struct ompp_arena *arena, struct ompp_profile *out);

#endif
