/*
 * Shared end: DO loops of Fortran that end with one labelled statement, `do 10 j … do 10 i … 10 continue`.
 *
 * Nothing can be put between the ends of such loops, as a worksharing construct on an inner one needs it.  So the inner
 * ones get a label of their own: the statement ends them, and a CONTINUE behind it the loops around.
 */
#ifndef KINST_SHARED_END_H
#define KINST_SHARED_END_H

#include "opari/read/statements.h"

/* The text in which the loop of one more construct has an end of its own; NULL: there is none that could have one, as the
 * label is jumped to.  `statements` are those of the text, with loops marked (extent_fortran.h).  To be freed. */
char *kinst_shared_end_part(const struct kinst_statements *statements);

#endif
