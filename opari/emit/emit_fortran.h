/*
 * Emit, in Fortran: puts calls of the runtime around the OpenMP constructs of a text.
 *
 * Each call is `call ompp_f_NAME('context')`, of an external procedure.  It uses no variable, so that declarations,
 * IMPLICIT, data-sharing clauses and scoping units do not matter; the runtime identifies a construct by its context
 * string.  Directives that begin with PARALLEL are split in two, as in C (directive_split.h).
 */
#ifndef KINST_EMIT_FORTRAN_H
#define KINST_EMIT_FORTRAN_H

#include "opari/emit/emit.h"

/* Puts calls into a text of Fortran, as kinst_emit() does into one of C. */
int kinst_emit_fortran(const char *text, size_t length, const struct kinst_emit_options *options,
                       struct kinst_emitted *emitted);

#endif
