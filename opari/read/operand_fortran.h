/*
 * Operand, in Fortran: the part of an atomic statement that is no part of the atomic access, as in operand.h.
 */
#ifndef KINST_OPERAND_FORTRAN_H
#define KINST_OPERAND_FORTRAN_H

#include "opari/read/statements.h"

/* The operand of the assignment that is statement i, of an atomic update or (is_write) write: a part of its text.  n 0: there
 * is none that could be evaluated before, or it calls nothing, as far as the declarations in the text tell. */
struct kinst_span kinst_operand_fortran(const struct kinst_statements *all, size_t i, int is_write);

#endif
