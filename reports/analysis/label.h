/*
 * Label: what a text report calls a region, "R00004 main.c (20-23) (unnamed)".
 *
 * It shows the file's base name, with as many folders before it as tell it from the other files of the profile.
 */
#ifndef OMPP_VIEWS_LABEL_H
#define OMPP_VIEWS_LABEL_H

#include "reports/analysis/analysis.h"

/* Fills in a->files.  Returns 0 or -ENOMEM. */
int ompp_label_files(struct ompp_analysis *a);

/* Return the label of a region, and the label without its number, which is its location: "main.c (20-23) (unnamed)".
 * Both are in the analysis's arena; NULL without memory. */
const char *ompp_region_label(const struct ompp_analysis *a, const struct ompp_region *region);
const char *ompp_region_location(const struct ompp_analysis *a, const struct ompp_region *region);

/* Returns what the region is and its location, "LOOP main.c (20-23)", in the analysis's arena; NULL without memory. */
const char *ompp_region_title(const struct ompp_analysis *a, const struct ompp_region *region,
                              enum ompp_construct construct);

/* Returns the number of a region and a text behind it, "R00004 nodes". */
const char *ompp_region_tag(const struct ompp_region *region, const char *after, struct ompp_arena *arena);

#endif
