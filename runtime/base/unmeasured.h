/*
 * Unmeasured: constructs of the program that have no calls around them.
 *
 * kinst leaves an ELF note for each in the code that it compiles (opari/emit/unmeasured.h), so that the knowledge goes with the
 * code into archives, libraries and programs, and stays when they are stripped.  A note's text is "FILE:LINE: NAME: why".
 */
#ifndef OMPP_BASE_UNMEASURED_H
#define OMPP_BASE_UNMEASURED_H

#include <stddef.h>

#define OMPP_UNMEASURED_OWNER "kinst"
enum { OMPP_UNMEASURED_TYPE = 1 };

/* The next text in the notes of a segment or section, from byte *at on; NULL after the last.  Nothing in it is trusted. */
const char *ompp_unmeasured_next(const char *data, size_t n_bytes, size_t *at);

/* The lengths of FILE, and of FILE:LINE: NAME, in a text; of one without them 0, and its own. */
size_t ompp_unmeasured_file(const char *text);
size_t ompp_unmeasured_construct(const char *text);

#endif
