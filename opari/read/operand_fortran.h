/*
 * Operand, in Fortran: the part of an atomic statement that is no part of the atomic access, as in operand.h.
 */
#ifndef KINST_OPERAND_FORTRAN_H
#define KINST_OPERAND_FORTRAN_H

#include "opari/read/statements.h"

/*
 * Returns the operand of the assignment that is statement i, as a part of its text.  Its length is 0 when there is
 * none that could be evaluated before, or it calls nothing, as far as the declarations in the text tell.
 *
 * is_write: the atomic is a write, and else an update
 */
struct kinst_span kinst_operand_fortran(const struct kinst_statements *all, size_t i, int is_write);

#endif
