/*
 * Attributes: OpenMP directives in the attribute syntax of C++ and C, `[[omp::directive(parallel for)]]`, as pragmas.
 */
#ifndef KINST_ATTRIBUTES_H
#define KINST_ATTRIBUTES_H

#include "opari/read/lexer.h"

/*
 * Makes a text with pragmas in place of the attributes, on the same lines according to its line markers.  Returns 0,
 * and makes no text, when there are none; else 1.
 */
int kinst_attributes_rewrite(const struct kinst_tokens *tokens, struct kinst_text *result);

#endif
