/*
 * Blame: finds which of kinst's changes to a text caused a compiler error.
 */
#ifndef KINST_BLAME_H
#define KINST_BLAME_H

#include "opari/emit/emit.h"

/*
 * Returns the line of a compiler's messages that tells the most, which the caller frees: the first error, with its
 * place.
 */
char *kinst_blame_first_error(const char *messages);

/*
 * Returns the number of the measured construct in which the first error stands, of several the innermost one; -1 when
 * none of the errors stands in one.
 */
long kinst_blame_construct(const struct kinst_emitted *emitted, const char *messages);

/* Gives up the user's directives in which errors stand, and says so.  Returns how many these are. */
size_t kinst_blame_marks(struct kinst_marks *marks, const char *messages);

#endif
