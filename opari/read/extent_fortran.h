/*
 * Extent, in Fortran: where a construct begins and ends, and where its parts do.  See extent.h.
 */
#ifndef KINST_EXTENT_FORTRAN_H
#define KINST_EXTENT_FORTRAN_H

#include <ctype.h>

#include "opari/read/directive.h"
#include "opari/read/statements.h"

#define KINST_NOWHERE SIZE_MAX

/*
 * A construct: its directive, which is the statement `first`, the statement that is its last, and its end directive
 * or NOWHERE.
 */
struct kinst_fortran_extent {
	struct kinst_directive d;
	size_t first, last, end;
};

/* Reads the OpenMP directive that a statement is, which the caller frees.  Returns 0 when it is none. */
int kinst_fortran_read(const struct kinst_statements *all, size_t i, struct kinst_directive *directive);

/*
 * Finds the rest of an extent whose first statement and directive are known.  Returns 0 when it cannot be made out.
 */
int kinst_fortran_find(const struct kinst_statements *all, struct kinst_fortran_extent *extent);

/* Returns 1 when it has a `cancel` of a construct in it: "parallel", "do" or "sections". */
int kinst_fortran_is_cancelled(const struct kinst_statements *all, const struct kinst_fortran_extent *extent,
                               const char *construct);

/* Returns 1 when its end directive has this clause. */
int kinst_fortran_end_has(const struct kinst_statements *all, const struct kinst_fortran_extent *extent,
                          const char *clause);

/*
 * Returns the next SECTION that stands directly in a SECTIONS construct, from statement i on; `end` when there is
 * none.
 */
size_t kinst_fortran_section(const struct kinst_statements *all, size_t i, size_t end);

/* Returns the next statement from i on that is no comment, blank line or marker; all->n when there is none. */
size_t kinst_fortran_next(const struct kinst_statements *all, size_t i);

/* Returns 1 when the statement is a DO; *label is that of its last statement, or 0. */
int kinst_fortran_is_do(const struct kinst_statement *statement, unsigned long *label);

/* Returns the end of the DO at statement i, or NOWHERE. */
size_t kinst_fortran_do_end(const struct kinst_statements *all, size_t i);

/* Returns the end of the BLOCK at statement i, or NOWHERE. */
size_t kinst_fortran_block_end(const struct kinst_statements *all, size_t i);

/* Marks the loops that end with the same statement as a loop around them. */
void kinst_fortran_mark_loops(struct kinst_statements *all);

/* Returns 1 when the loop of the extent is marked so. */
int kinst_fortran_shares_end(const struct kinst_statements *all, const struct kinst_fortran_extent *extent);

/* Returns what follows a construct's name and its colon; the text itself when it has no name. */
const char *kinst_fortran_unnamed(const char *text);

static inline const char *kinst_fortran_blanks(const char *p)
{
	while (isblank((unsigned char)*p))
		p++;
	return p;
}

#endif
