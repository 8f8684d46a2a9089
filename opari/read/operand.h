/*
 * Operand: the part of an atomic statement that is no part of the atomic access, `f(y)` of `x += f(y)`.
 *
 * OpenMP has it evaluated once, and not atomically: so it may be evaluated before, and what it takes is then no time of
 * the atomic construct.  Only operands with a call in them are worth it.
 */
#ifndef KINST_OPERAND_H
#define KINST_OPERAND_H

#include "opari/read/extent.h"

/* The tokens of the operand, first to last, of an update, write or capture; 0: there is none that could be evaluated
 * before, as in `v = *f()` of a read, and in what is compared. */
int kinst_operand_find(const struct kinst_tokens *tokens, const struct kinst_extent *atomic, uint32_t *first,
		       uint32_t *last);

#endif
