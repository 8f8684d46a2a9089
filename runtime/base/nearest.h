/*
 * Nearest: edit distance between words, to suggest the right one after a misspelling.
 */
#ifndef OMPP_BASE_NEAREST_H
#define OMPP_BASE_NEAREST_H

#include <stddef.h>

/* Returns how many edits (insert, delete, replace, swap of neighbours) lead from one word to the other, without regard
 * to case.  For words longer than 63 bytes that is the length of the longer one. */
unsigned int ompp_distance(const char *a, size_t a_bytes, const char *b, size_t b_bytes);

/* Returns how many edits may make a name of a word that a user typed: one in three letters, and three at most. */
static inline unsigned int ompp_nearest_most(size_t word_bytes)
{
	return word_bytes > 6 ? 3 : (unsigned int)(word_bytes + 2) / 3;
}

/* Returns the name that is nearest to the word, the first of several; NULL when all are more than `most` edits away.
 * name: returns the names by number from 0 on, and NULL behind the last */
const char *ompp_nearest(const char *word, size_t word_bytes, const char *(*name)(size_t i), unsigned int most);

#endif
