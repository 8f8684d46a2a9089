/*
 * Prepare, in Fortran: a text as it has to be before calls can be put into it.
 */
#ifndef KINST_PREPARE_FORTRAN_H
#define KINST_PREPARE_FORTRAN_H

#include <stddef.h>

#include "opari/emit/emit.h"
#include "opari/read/statements.h"

/*
 * Reads the statements of a text, prepared for the insertion of calls: lines after !$ belong to the program, and loops
 * do not share labels.  Returns the text that the statements point into; the caller frees both.
 *
 * is_quieter: becomes 1 when the compiler may warn of the original alone
 */
char *kinst_prepare_fortran(const char *text, size_t length, const struct kinst_emit_options *options,
                            struct kinst_statements *statements, int *is_quieter);

#endif
