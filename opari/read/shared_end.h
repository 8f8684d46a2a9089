/*
 * Shared end: DO loops of Fortran that end with one labelled statement, as in `do 10 j`, `do 10 i`, `10 continue`.
 *
 * A worksharing construct on an inner loop needs calls between the ends of such loops, where there is no place.  So the
 * inner loops get a label of their own: the labelled statement ends them, and a CONTINUE after it ends the outer loops.
 */
#ifndef KINST_SHARED_END_H
#define KINST_SHARED_END_H

#include "opari/read/statements.h"

/*
 * Returns the text in which the loop of one more construct has an end of its own, which the caller frees.  NULL when
 * there is no loop that could have one; a loop whose label is jumped to cannot.
 *
 * statements: those of the text, with its loops marked (extent_fortran.h)
 */
char *kinst_shared_end_part(const struct kinst_statements *statements);

#endif
