/*
 * Source: the source files that the regions and samples of a profile are in, as far as they are found.
 *
 * A profile may come from a stranger and name any file, and what shows its sources is sent around; so only files are
 * taken whose names end as those of sources do, and which are plain text.
 */
#ifndef OMPP_WEB_SOURCE_H
#define OMPP_WEB_SOURCE_H

#include "reports/analysis/analysis.h"

enum { OMPP_SOURCE_MOST_BYTES = 1 << 20 }; /* of one file */

/* Returns the paths of the files, each once, by name: those of regions first, as others may be of libraries, in the
 * analysis's arena; NULL without memory. */
const char **ompp_source_files(const struct ompp_analysis *a, size_t *n_files);

/* Returns what a file has, terminated, in the arena; NULL when it cannot be had, and *why tells the reason.
 * *has_changed is 1 when it was written after start_unix_ns. */
char *ompp_source_load(const char *path, int64_t start_unix_ns, struct ompp_arena *arena, int *has_changed,
                       const char **why);

#endif
