/*
 * Operand: the part of an atomic statement outside the atomic access, as `f(y)` in `x += f(y)`.
 *
 * In OpenMP it is evaluated once, and not atomically.  So it may be evaluated before, and the time that it takes is
 * then not that of the atomic construct.  This is done only for operands with a call in them.
 */
#ifndef KINST_OPERAND_H
#define KINST_OPERAND_H

#include "opari/read/extent.h"

/*
 * Finds the operand of an update, write or capture: tokens first to last.  Returns 0 when none can be evaluated before,
 * as in a read `v = *f()`, and in a compare.
 */
int kinst_operand_find(const struct kinst_tokens *tokens, const struct kinst_extent *atomic, uint32_t *first,
                       uint32_t *last);

#endif
