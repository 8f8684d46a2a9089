/*
 * Pragma: what a pragma of C or C++ is, as a token of the text.
 */
#ifndef KINST_PRAGMA_H
#define KINST_PRAGMA_H

#include "opari/read/directive.h"
#include "opari/read/lexer.h"

/* Returns 1 when the token is a `#pragma omp`, whatever follows, and 0 otherwise. */
int kinst_pragma_is_omp(const struct kinst_tokens *tokens, uint32_t token);

/*
 * Reads the directive of an OpenMP pragma, which the caller frees.  Returns 0, and no directive, when the token is
 * none or the directive cannot be read.
 */
int kinst_pragma_read(const struct kinst_tokens *tokens, uint32_t token, struct kinst_directive *directive);

/* Returns 1 when one of the first words behind `#pragma`, at most two, is this one. */
int kinst_pragma_has(const struct kinst_tokens *tokens, uint32_t token, const char *word);

#endif
