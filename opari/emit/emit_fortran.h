/*
 * Emit, in Fortran: a text with calls of the runtime around its OpenMP constructs.
 *
 * Each call is `call ompp_f_…('context')` of an external procedure and names no variable, so that neither declarations,
 * IMPLICIT, data-sharing clauses nor scoping units matter; the runtime knows a construct by its context string.
 * Directives that begin with PARALLEL are taken in two as in C (directive.h).
 */
#ifndef KINST_EMIT_FORTRAN_H
#define KINST_EMIT_FORTRAN_H

#include "opari/emit/emit.h"

/* As kinst_emit().  `file`: the name of a text that does not begin with a line marker. */
int kinst_emit_fortran(const char *text, size_t length, int fixed, const char *file,
		       const struct kinst_emit_options *options, struct kinst_emitted *emitted);

#endif
