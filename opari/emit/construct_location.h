/*
 * Construct location: the file and the lines of a region, also where included files have a part of it.
 *
 * A construct that one file has as a whole is there, from its directive to its end.  Otherwise it belongs to the
 * innermost file that includes all of its parts, so that constructs whose directive comes from the same fragment are
 * told apart.  There it begins with its directive or, if a fragment has that, with its statement.  For what is in a
 * fragment, the line that includes the fragment stands.
 */
#ifndef KINST_CONSTRUCT_LOCATION_H
#define KINST_CONSTRUCT_LOCATION_H

#include "opari/emit/emit_region.h"
#include "opari/read/lexer.h"
#include "opari/read/statements.h"

/* Where a region begins and ends; both have the same file. */
struct kinst_bounds {
	struct kinst_location first, last;
};

/*
 * Returns the bounds of a construct of C or C++, or of a user region.
 *
 * pragma: the token of its directive
 * last: the last token of its statement, which follows the pragma; the pragma if it stands alone; the pragma that ends
 *       a user region
 */
struct kinst_bounds kinst_construct_bounds(const struct kinst_tokens *tokens, uint32_t pragma, uint32_t last);

/* Returns those of a construct or a user region of Fortran, from its directive to statement `last`. */
struct kinst_bounds kinst_construct_bounds_fortran(const struct kinst_statements *statements, size_t directive,
                                                   size_t last);

#endif
