/*
 * Lock calls: calls of the omp_*_lock functions, which become their POMP2 forms.
 */
#ifndef KINST_LOCK_CALLS_H
#define KINST_LOCK_CALLS_H

#include "opari/lexer.h"

/* The POMP2 name when token i calls a lock function; NULL when it declares it or is something else. */
const char *kinst_lock_call(const struct kinst_tokens *tokens, uint32_t i);

#endif
