/*
 * Doubt: whether compilers may refuse a directive, or warn of it, where they take the text with calls in it.
 *
 * Calls stand in braces, combined directives are divided, and clauses are found in any case.  So what is wrong may be
 * right afterwards.  A directive is beyond doubt when it is written as OpenMP has it: names in lower case, each clause
 * one that belongs there, with its parentheses, and once where it may stand once.  What clauses have in their
 * parentheses is left to the compiler, which gets it as it is.
 */
#ifndef KINST_DOUBT_H
#define KINST_DOUBT_H

#include "opari/read/directive.h"

/* Return 1 when there is doubt about a directive, or about an end directive of Fortran, and 0 otherwise.  Of directives
 * that are no constructs there is none. */
int kinst_doubt_directive(const struct kinst_directive *directive);
int kinst_doubt_end(const struct kinst_directive *end);

#endif
