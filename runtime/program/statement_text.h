/*
 * Statement text: finds the source lines of a statement, and writes pieces of them.
 */
#ifndef OMPP_PROGRAM_STATEMENT_TEXT_H
#define OMPP_PROGRAM_STATEMENT_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/program/statement.h"

enum { OMPP_STATEMENT_BYTES = 2500 };

/* Returns a line of a text, from 1, which ends at its '\n' or NUL; "" where there is none. */
const char *ompp_statement_line(const char *text, uint32_t line);

/* Returns the line before one of a text; NULL for the first one, and for "", which is no line of it. */
const char *ompp_statement_line_before(const char *text, const char *line);

/* Copies a line of C or C++ and the lines before it up to the begin of its first statement.  Comments, the contents of
 * strings and character constants, and line ends become blanks.  Returns where the line begins in the copy. */
size_t ompp_statement_copy(char copy[OMPP_STATEMENT_BYTES], const char *text, uint32_t line);

/* Writes some text of a source without blanks at its end, or at most so many bytes of it and an ellipsis. */
void ompp_statement_put(struct ompp_text *t, const char *from, const char *to, size_t most);

/* Writes the name of what is allocated or declared on a Fortran line with a call at this column (0: not known). */
void ompp_statement_put_fortran(struct ompp_text *t, const struct ompp_statement *s, uint32_t column);

#endif
