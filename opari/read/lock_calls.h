/*
 * Lock calls: calls of the omp_*_lock functions, which become their POMP2 forms; and of those that make or set a lock,
 * what the report calls the lock by: the place and the argument.
 */
#ifndef KINST_LOCK_CALLS_H
#define KINST_LOCK_CALLS_H

#include "opari/read/lexer.h"

/* The POMP2 name when token i calls a lock function; NULL when it declares it or is something else. */
const char *kinst_lock_call(const struct kinst_tokens *tokens, uint32_t i);

/* The same function in kinst's own form, which takes the call's site before the lock; NULL: it has none. */
const char *kinst_lock_call_at(const struct kinst_tokens *tokens, uint32_t i);

/* The argument of a call whose parenthesis opens at token `open`, in one line, without the address operator. */
void kinst_lock_argument(const struct kinst_tokens *tokens, uint32_t open, struct kinst_text *out);

/* In a Fortran statement: the argument of a call that makes or sets a lock; n 0: there is no such call. */
struct kinst_span kinst_lock_fortran(const char *statement);

#endif
