/*
 * Fit: texts of the summary, cut to the width of a terminal.
 */
#ifndef OMPP_FIT_H
#define OMPP_FIT_H

#include "runtime/base/arena.h"
#include "runtime/base/text.h"

enum { OMPP_FIT_NAME_COLUMNS = 32, OMPP_FIT_REGION_COLUMNS = 48, OMPP_FIT_BYTES = 512 };

/* A text with its own buffer.  Returns the empty text. */
struct ompp_fit_line {
	struct ompp_text text;
	char buffer[OMPP_FIT_BYTES];
};
struct ompp_text *ompp_fit_begin(struct ompp_fit_line *line);

/* Returns the text, in the arena, with n_columns columns at most; it ends with … behind the word where it was cut. NULL
 * without memory. */
const char *ompp_fit(const char *text, size_t n_columns, struct ompp_arena *arena);

/* Breaks a text into lines, at blanks, of which the further ones have so many columns less.  Returns their number. */
size_t ompp_fit_lines(char *text, size_t n_columns, size_t indent);

/* Appends a text, with n_columns columns at most: the middle of a longer one is replaced by …, as paths and names
 * mostly differ at their ends. */
void ompp_fit_middle(struct ompp_text *t, const char *text, size_t n_columns);

/* Returns 1 when two texts look the same by ompp_fit_middle(). */
int ompp_fit_same(const char *a, const char *b, size_t n_columns);

/* Append a name from outside, which is cleaned and shortened in its middle; and a number with what it counts, "1
 * thread" or "2 threads". */
void ompp_fit_name(struct ompp_text *t, const char *name, struct ompp_arena *arena);
void ompp_fit_count(struct ompp_text *t, uint64_t n, const char *one, const char *many);

#endif
