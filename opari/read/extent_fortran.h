/*
 * Extent, in Fortran: where a construct begins and ends.  See extent.h.
 */
#ifndef KINST_EXTENT_FORTRAN_H
#define KINST_EXTENT_FORTRAN_H

#include <ctype.h>

#include "opari/read/directive.h"
#include "opari/read/statements.h"

#define KINST_NOWHERE SIZE_MAX

/* A construct: its directive, and statements: first, which is the directive, to last; end: its end directive, or
 * NOWHERE. */
struct kinst_fortran_extent {
	struct kinst_directive d;
	size_t first, last, end;
};

/* The OpenMP directive that a statement is, to be freed by the caller; 0: it is none. */
int kinst_fortran_read(const struct kinst_statements *all, size_t i, struct kinst_directive *directive);

/* The rest of an extent whose first and directive are known; 0: it cannot be made out. */
int kinst_fortran_find(const struct kinst_statements *all, struct kinst_fortran_extent *extent);

/* Is there a `cancel` of this construct (parallel, do, sections) in it? */
int kinst_fortran_is_cancelled(const struct kinst_statements *all, const struct kinst_fortran_extent *extent,
			       const char *construct);

/* Has the end directive this clause? */
int kinst_fortran_end_has(const struct kinst_statements *all, const struct kinst_fortran_extent *extent,
			  const char *clause);

/* The next SECTION directly in a SECTIONS construct, from statement i on; `end`: there is none. */
size_t kinst_fortran_section(const struct kinst_statements *all, size_t i, size_t end);

/* The next statement that is none of comments, blank lines and markers; all->n: there is none. */
size_t kinst_fortran_next(const struct kinst_statements *all, size_t i);

/* Is the statement a DO?  *label: of its last statement, or 0.  And the end of the DO at i, or NOWHERE. */
int kinst_fortran_is_do(const struct kinst_statement *statement, unsigned long *label);
size_t kinst_fortran_do_end(const struct kinst_statements *all, size_t i);

/* The end of the BLOCK at i; NOWHERE: there is none. */
size_t kinst_fortran_block_end(const struct kinst_statements *all, size_t i);

/* Does a DO around the one of the extent end with the same statement?  Once loops are marked. */
void kinst_fortran_mark_loops(struct kinst_statements *all);
int kinst_fortran_shares_end(const struct kinst_statements *all, const struct kinst_fortran_extent *extent);

/* Behind a construct's name and its colon; or all of the text. */
const char *kinst_fortran_unnamed(const char *text);

static inline const char *kinst_fortran_blanks(const char *p)
{
	while (isblank((unsigned char)*p))
		p++;
	return p;
}

#endif
