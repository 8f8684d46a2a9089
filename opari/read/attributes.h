/*
 * Attributes: OpenMP directives in the attribute syntax of C++ and C, `[[omp::directive(parallel for)]]`, as pragmas.
 */
#ifndef KINST_ATTRIBUTES_H
#define KINST_ATTRIBUTES_H

#include "opari/read/lexer.h"

/* The text with pragmas in their place, on the same lines by its markers; 0: there are none, and no result. */
int kinst_attributes_rewrite(const struct kinst_tokens *tokens, struct kinst_text *result);

#endif
