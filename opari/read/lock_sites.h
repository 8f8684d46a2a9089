/*
 * Lock calls: calls of the omp_*_lock functions.
 *
 * They become their POMP2 forms.  Calls that make or set a lock also pass the place and the argument, by which the
 * report names the lock.
 */
#ifndef KINST_LOCK_SITES_H
#define KINST_LOCK_SITES_H

#include "opari/read/lexer.h"

/* Returns the POMP2 name when token i calls a lock function; NULL when it declares one or is something else. */
const char *kinst_lock_call(const struct kinst_tokens *tokens, uint32_t i);

/*
 * Returns the name of kinst's own form of that function, which takes the call's site before the lock; NULL when it
 * has none.
 */
const char *kinst_lock_call_at(const struct kinst_tokens *tokens, uint32_t i);

/* Adds the argument of a call whose parenthesis is the token `open`, in one line and without the address operator. */
void kinst_lock_argument(const struct kinst_tokens *tokens, uint32_t open, struct kinst_text *out);

/*
 * Returns the argument of a call that makes or sets a lock, in a statement of Fortran.  Its length is 0 when there is
 * no such call.
 */
struct kinst_span kinst_lock_fortran(const char *statement);

#endif
