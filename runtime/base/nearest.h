/*
 * Nearest: how far apart two words are, to name the right one after a misspelling.
 */
#ifndef OMPP_BASE_NEAREST_H
#define OMPP_BASE_NEAREST_H

#include <stddef.h>

/* Edits (insert, delete, replace, swap of neighbours) between two words, without regard to case; words longer than
 * 63 bytes are as far apart as their longer length. */
unsigned int ompp_distance(const char *a, size_t a_bytes, const char *b, size_t b_bytes);

/* Which of name(0), name(1) … until NULL is nearest to the word?  NULL when all are more than `most` edits away; of
 * equals the first. */
const char *ompp_nearest(const char *word, size_t word_bytes, const char *(*name)(size_t i), unsigned int most);

#endif
