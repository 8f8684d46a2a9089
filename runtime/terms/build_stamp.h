/*
 * Build stamp: which version of its sources the program was built from, as kinst --stamp kept it in the program.
 *
 * A constructor that kinst links into the program, or into a library, hands it over once.  That of the program holds;
 * without one that of the first library does.  The texts are copied, as a library may go before the report is made.
 */
#ifndef OMPP_BUILD_STAMP_H
#define OMPP_BUILD_STAMP_H

#include <stdint.h>

enum {
	OMPP_BUILD_STAMP_BYTES = 256,
	OMPP_BUILD_COMMIT_BYTES = 72
}; /* with the byte that ends it; kinst cuts at the same sizes */

struct ompp_build_stamp {
	char text[OMPP_BUILD_STAMP_BYTES];    /* what git describe said, or the user's text */
	char commit[OMPP_BUILD_COMMIT_BYTES]; /* its full hash; "" where no repository told it */
	int64_t commit_unix_s;                /* when it was committed; 0 when not known */
	int is_modified;                      /* 1 when tracked files were not those of the commit */
};

/* Keeps a stamp.  Any thread.
 * of_program: 1 for that of the program itself, 0 for that of a library */
void ompp_build_stamp_keep(const char *text, const char *commit, int64_t commit_unix_s, int is_modified,
                           int of_program);

/* Returns the stamp that holds; NULL without any. */
const struct ompp_build_stamp *ompp_build_stamp_get(void);

#endif
