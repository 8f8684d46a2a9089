/*
 * Varied sources: texts of chance in C, C++ and Fortran, by a number each, with directives of OpenMP and of ours at all
 * kinds of places, right and wrong ones, in all spellings.  They are for what reads texts, and not to be compiled.
 */
#ifndef OMPP_VARIED_SOURCE_H
#define OMPP_VARIED_SOURCE_H

#include <stddef.h>
#include <stdint.h>

enum varied_language { VARIED_C, VARIED_CXX, VARIED_FREE, VARIED_FIXED, VARIED_LANGUAGES };

/* Returns the text of a number, which the caller frees. */
char *varied_source(enum varied_language language, uint32_t number, size_t *n_bytes);

#endif
