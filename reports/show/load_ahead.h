/*
 * Load ahead: profiles of many files that are used one after the other.  Some files are in memory at a time, so that
 * their checksums are computed beside each other.
 */
#ifndef OMPP_LOAD_AHEAD_H
#define OMPP_LOAD_AHEAD_H

#include <stddef.h>

#include "reports/profile/profile_file.h"

struct ompp_load_ahead {
	char **paths;
	size_t n; /* of the files; both are set by the caller, all else is 0 before the first call */
	size_t first;
	size_t n_images; /* of the files from `first` on; those that are not read here have no data */
	struct ompp_profile_image images[OMPP_PROFILE_IMAGES];
	struct ompp_arena arena;
	unsigned char *bytes; /* of the files, OMPP_LOAD_AHEAD_BYTES */
};

enum { OMPP_LOAD_AHEAD_BYTES = 4 * 1024 * 1024 }; /* at a time; larger files are read when they are asked for */

/* Does what ompp_load() does with the file of this number, which is not less than that of the call before. */
int ompp_load_ahead(struct ompp_load_ahead *ahead, size_t i, struct ompp_arena *arena, struct ompp_profile *profile);

void ompp_load_ahead_fini(struct ompp_load_ahead *ahead);

#endif
