/*
 * Label: how a text report calls a region, "R00004 main.c (20-23) (unnamed)".
 *
 * Of the file's path it has the last part, and folders before it where the profile has another file whose path ends alike.
 */
#ifndef OMPP_VIEWS_LABEL_H
#define OMPP_VIEWS_LABEL_H

#include "reports/views/analysis.h"

/* Fills a->files.  0 or -ENOMEM. */
int ompp_label_files(struct ompp_analysis *a);

/* In the analysis' arena; NULL without memory.  The place is the label without its number: "main.c (20-23) (unnamed)". */
const char *ompp_region_label(const struct ompp_analysis *a, const struct ompp_region *region);
const char *ompp_region_place(const struct ompp_analysis *a, const struct ompp_region *region);

/* The number alone, and a text that follows it: "R00004 nodes". */
const char *ompp_region_tag(const struct ompp_region *region, const char *after, struct ompp_arena *arena);

#endif
