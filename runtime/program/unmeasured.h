/*
 * Unmeasured: finds constructs of the program that are not instrumented.
 *
 * kinst adds an ELF note for each to the code that it compiles (opari/emit/emit_unmeasured.h), so that the notes go
 * with the code into archives, libraries and programs, and remain when they are stripped.  A note's text is "FILE:LINE:
 * NAME: why".
 */
#ifndef OMPP_PROGRAM_UNMEASURED_H
#define OMPP_PROGRAM_UNMEASURED_H

#include <stddef.h>
#include <stdint.h>

#define OMPP_UNMEASURED_OWNER "kinst"
/* The types of notes; those of loops are what the compiler said of vectorising them (opari/source/opt_info.h), and
 * their NAME is one of these two. */
enum { OMPP_UNMEASURED_TYPE = 1, OMPP_LOOP_TYPE = 2 };
#define OMPP_LOOP_VECTORIZED     "vectorised"
#define OMPP_LOOP_NOT_VECTORIZED "not vectorised"

/* Returns the next text in the notes of a type of a segment or section, from byte *at on, which moves; NULL after the
 * last.  Nothing in the data is trusted. */
const char *ompp_unmeasured_next(const char *data, size_t n_bytes, uint32_t type, size_t *at);

/* Return the length of FILE in a text, and of FILE:LINE: NAME.  For a text without these parts the first returns 0 and
 * the second the length of the text. */
size_t ompp_unmeasured_file(const char *text);
size_t ompp_unmeasured_construct(const char *text);

#endif
