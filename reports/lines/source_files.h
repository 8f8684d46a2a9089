/*
 * Source files: the source files of the regions and samples of a profile, as far as they are found.
 *
 * A profile is not trusted and may name any file, and people pass on the pages that contain its sources.  So only
 * regular text files with a suffix of source files are read.
 */
#ifndef OMPP_LINES_SOURCE_FILES_H
#define OMPP_LINES_SOURCE_FILES_H

#include "reports/analysis/analysis.h"

enum { OMPP_SOURCE_MOST_BYTES = 1 << 20 }; /* of one file */

/* Returns the paths of the files, each once, by name: those of regions first, as others may be of libraries, in the
 * analysis's arena; NULL without memory. */
const char **ompp_source_files(const struct ompp_analysis *a, size_t *n_files);

/* Returns the contents of a file, NUL-terminated, in the arena; NULL when it cannot be read, with the reason in *why.
 * *has_changed is 1 when it was written after start_unix_ns. */
char *ompp_source_load(const char *path, int64_t start_unix_ns, struct ompp_arena *arena, int *has_changed,
                       const char **why);

#endif
