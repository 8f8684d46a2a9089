/*
 * Clean: makes a text that strangers wrote (a name in the program, a file, a variable's value) fit for a terminal or a
 * log.
 *
 * Control characters (C0, DEL, and C1 as a byte or in UTF-8), characters that change the direction of writing or end
 * lines, and bytes that are not UTF-8 are written as \n, \t, \r, \x1b or \u202e; everything else stays as it is.  A
 * clean text stays the same when it is cleaned again.
 */
#ifndef OMPP_BASE_CLEAN_H
#define OMPP_BASE_CLEAN_H

#include <stddef.h>

#include "runtime/base/arena.h"
#include "runtime/base/text.h"

/* MOST: the most bytes that one byte becomes.  ESCAPE_BYTES: room for what is written for one character. */
enum { OMPP_CLEAN_MOST = 4, OMPP_ESCAPE_BYTES = 8 };

/* Appends a clean s.  With keep_lines 1 line feeds stay. */
void ompp_clean(struct ompp_text *t, const char *s, int keep_lines);

/* Returns 1 when there is nothing to clean in s. */
int ompp_is_clean(const char *s, int keep_lines);

/* The two steps of ompp_clean().  The first returns how many bytes at the beginning of s may stay.  The second is for
 * the character that may not: it writes into `escape` what stands for it, at most 6 bytes, and returns the character's
 * length. */
size_t ompp_clean_bytes(const char *s, int keep_lines);
size_t ompp_clean_escape(const char *s, char escape[OMPP_ESCAPE_BYTES]);

/* Returns 1 for a word that shells take as it is, without quotes. */
int ompp_is_plain_word(const char *word);

/* Returns s itself when it is clean, else a clean copy in the arena; NULL without memory. */
const char *ompp_clean_copy(const char *s, int keep_lines, struct ompp_arena *arena);

#endif
