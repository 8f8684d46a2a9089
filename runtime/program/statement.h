/*
 * Statement: finds names for the allocation calls in a source line from its text: "a = malloc(…)", "v",
 * "allocate(a(n))".
 *
 * Each call is named by its own declarator or assignment, which is found by the call's column.  Columns refer to the
 * text that the compiler read, in which macros may be expanded: if a column is not at a possible call in the source,
 * calls and assignments are matched by their order, if there are as many of both.
 */
#ifndef OMPP_PROGRAM_STATEMENT_H
#define OMPP_PROGRAM_STATEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/text.h"

/* A source line, and all its allocation calls. */
struct ompp_statement {
	const char *path, *text; /* the path and the whole text of the source */
	uint32_t line;           /* from 1 */
	const uint32_t *columns; /* of the calls, from 1, all different and ascending; NULL when they are not known:
	                          * then the calls are in the order in which they were first made */
	size_t n;                /* calls */
};

/* Appends the name of a call, by its number from 0; nothing when the line has no name for it.  Returns 1 when the name
 * is certainly that of its own declarator or assignment. */
int ompp_statement_name(struct ompp_text *t, const struct ompp_statement *s, size_t which);

/* Returns 1 for a Fortran source. */
int ompp_statement_is_fortran(const char *path);

/* Returns the number of arrays that the Fortran statement with a call at this column allocates, in order; 0 for other
 * statements, and when an array may need several calls. */
size_t ompp_statement_n_arrays(const struct ompp_statement *s, uint32_t column);

/* Appends the name of such an array, by its number from 0. */
void ompp_statement_array(struct ompp_text *t, const struct ompp_statement *s, uint32_t column, size_t which);

/* Appends the function or array in the bounds of these arrays that has arguments or indices, "sizes%n" of
 * "allocate(a(sizes%n(1)))", by its number from 0.  Functions that belong to Fortran are left out.  Returns 0 when
 * there are not so many. */
int ompp_statement_called(struct ompp_text *t, const struct ompp_statement *s, uint32_t column, size_t which);

#endif
