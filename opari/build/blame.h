/*
 * Blame: which of the things that kinst put into a text an error of the compiler is about.
 */
#ifndef KINST_BLAME_H
#define KINST_BLAME_H

#include "opari/emit/emit.h"

/* The line of a compiler's messages that tells the most: the first error, with its place. */
char *kinst_blame_first_error(const char *messages);

/* The number of the measured construct that the first error in one stands in, of several the innermost; or −1. */
long kinst_blame_construct(const struct kinst_emitted *emitted, const char *messages);

/* Give up the user's directives that errors stand in, and say so.  Returns how many there are. */
size_t kinst_blame_marks(struct kinst_marks *marks, const char *messages);

#endif
