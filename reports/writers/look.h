/*
 * Look: what the values of a table look like for people, in reports and in ompp tui.
 */
#ifndef OMPP_LOOK_H
#define OMPP_LOOK_H

#include "reports/tables/table.h"

enum { OMPP_LOOK_BYTES = 40 }; /* of a number */

/* A value as text: in the table, in its arena or in a buffer of the caller's. */
struct ompp_shown {
	const char *s;
	size_t n_bytes, n_columns;
};

/* How the values of a column look. */
struct ompp_look {
	unsigned int n_decimals; /* of times */
	size_t width;            /* in columns of the terminal, with that of the title */
};

/* Returns a text that is safe for a terminal: a cleaned copy if it has anything that a terminal must not get.
 */
const char *ompp_look_clean(const char *s, int keep_lines, struct ompp_arena *arena);

/* Returns a text that is clean already. */
struct ompp_shown ompp_look_text(const char *s);

/* Returns how many bytes of a text its next line takes, with at most `width` columns; it is broken at a blank if there
 * is one.
 * breaks_words: 1 to break where there is none, too */
size_t ompp_look_line(const char *s, size_t width, int breaks_words);

/* Returns what a value looks like. */
struct ompp_shown ompp_look_value(const struct ompp_value *v, unsigned int n_decimals, struct ompp_arena *arena,
                                  char buffer[OMPP_LOOK_BYTES]);

/* Returns the title of a column. */
const char *ompp_look_title(const struct ompp_table *t, size_t c);

/* Returns the look of a column: how many decimals its times have follows from the smallest and the largest of them. */
struct ompp_look ompp_look(const struct ompp_table *t, size_t c, size_t n_rows);

#endif
