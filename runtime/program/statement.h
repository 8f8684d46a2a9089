/*
 * Statement: what the text of a source line says of the calls in it that allocate memory: "a = malloc(…)", "v",
 * "allocate(a(n))".
 *
 * Each call is named by its own declarator or assignment.  Which one that is, its column tells.  Columns are those of
 * the text that the compiler read, in which macros may be expanded: where one of them is at no place of the source
 * that a call can have, calls and assignments are matched by their order, if there are as many of both.
 */
#ifndef OMPP_PROGRAM_STATEMENT_H
#define OMPP_PROGRAM_STATEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/text.h"

/* A line of a source, and all of its calls that allocate. */
struct ompp_statement {
	const char *path, *text; /* the source's, whole */
	uint32_t line;           /* from 1 */
	const uint32_t *columns; /* of the calls, from 1, all different and ascending; NULL when they are not known:
	                          * then the calls are in the order in which they were first made */
	size_t n;                /* calls */
};

/* Appends the name of a call, by its number from 0; nothing where the line says nothing.  Returns 1 when the name is
 * that of its own declarator or assignment for sure. */
int ompp_statement_name(struct ompp_text *t, const struct ompp_statement *s, size_t which);

/* Returns 1 for a source of Fortran. */
int ompp_statement_is_fortran(const char *path);

/* Returns how many arrays the statement of Fortran allocates to which a call with this column belongs, in their order;
 * 0 for other statements, and where an array may take several calls. */
size_t ompp_statement_n_arrays(const struct ompp_statement *s, uint32_t column);

/* Appends the name of such an array, by its number from 0. */
void ompp_statement_array(struct ompp_text *t, const struct ompp_statement *s, uint32_t column, size_t which);

#endif
