/*
 * Directive, split: splits a combined directive that begins with `parallel` into a PARALLEL and the rest.
 *
 * Each clause goes to the one to which it applies, or to both.
 */
#ifndef KINST_DIRECTIVE_SPLIT_H
#define KINST_DIRECTIVE_SPLIT_H

#include "opari/read/directive.h"

/*
 * Distributes the clauses, each with a blank in front of it; num_threads goes to neither.
 *
 * outer: gets those of the PARALLEL, and shared clauses for variables that the rest has in its own clauses
 * inner: gets those of what remains
 */
void kinst_directive_split(const struct kinst_directive *directive, struct kinst_text *outer, struct kinst_text *inner);

/*
 * If the default of PARALLEL is not shared, adds a shared clause to `outer` for a loop variable of the rest whose value
 * is needed after the loop (simd).
 *
 * name:  the variable, `length` bytes
 * inner: the clauses of what remains
 */
void kinst_directive_share_counter(const struct kinst_directive *directive, const char *name, size_t length,
                                   const struct kinst_text *inner, struct kinst_text *outer);

#endif
