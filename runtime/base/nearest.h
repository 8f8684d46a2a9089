/*
 * Nearest: how far apart two words are, to name the right one after a misspelling.
 */
#ifndef OMPP_BASE_NEAREST_H
#define OMPP_BASE_NEAREST_H

#include <stddef.h>

/* Edits (insert, delete, replace, swap of neighbours) between two words, without regard to case; words longer than
 * 63 bytes are as far apart as their longer length. */
unsigned int ompp_distance(const char *a, size_t a_bytes, const char *b, size_t b_bytes);

#endif
