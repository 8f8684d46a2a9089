/*
 * Directive, split: a combined directive that begins with `parallel` as two, a PARALLEL and what remains.
 *
 * Each clause goes to the one that it is about, or to both.
 */
#ifndef KINST_DIRECTIVE_SPLIT_H
#define KINST_DIRECTIVE_SPLIT_H

#include "opari/read/directive.h"

/*
 * Shares out the clauses, each with a blank in front of it; num_threads goes to neither.
 *
 * outer: gets those of the PARALLEL, and what it must share so that the rest can say more of it
 * inner: gets those of what remains
 */
void kinst_directive_split(const struct kinst_directive *directive, struct kinst_text *outer, struct kinst_text *inner);

/*
 * Adds to `outer` that PARALLEL shares a variable, where its default is another: the variable of a loop that the rest
 * is about, which the rest gives back behind the loop (simd).
 *
 * name:  the variable, `length` bytes
 * inner: the clauses of what remains
 */
void kinst_directive_share_counter(const struct kinst_directive *directive, const char *name, size_t length,
                                   const struct kinst_text *inner, struct kinst_text *outer);

#endif
