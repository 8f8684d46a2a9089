/*
 * Opt info: what the compiler says of vectorising the loops of the user's own source (--opt-info).
 *
 * The original is compiled once more, without calls and hooks, for its messages alone: a file of -fopt-info-vec-all for
 * gcc and gfortran, remarks for clang.  Each loop becomes a note of the object beside those of constructs that are not
 * measured (emit_unmeasured.h), so that it goes with the code into libraries and programs, and the runtime reads it.
 */
#ifndef KINST_OPT_INFO_H
#define KINST_OPT_INFO_H

#include "opari/source/kinst_source.h"

/* Compiles, and fills in source->loops.  Says so where that fails. */
void kinst_opt_info_find(struct kinst_source *source, const struct kinst_context *context);

#endif
