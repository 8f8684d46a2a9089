/*
 * Judge: compiles of a source for what the compiler says of it.
 */
#ifndef KINST_JUDGE_H
#define KINST_JUDGE_H

#include "opari/build/source.h"

/* Compile the original for its messages alone, which go to stderr; the exit status. */
int kinst_judge(const struct kinst_source *source, const struct kinst_context *context);

/* What such a compile leaves out where it is silent about our directives: see original.h. */
int kinst_judge_others(const struct kinst_source *source, const struct kinst_context *context);

/* Does the instrumented text compile, warnings aside?  What an error stands in loses its calls; when nothing is to blame the
 * source becomes FAILED. */
void kinst_judge_calls(struct kinst_source *source, const struct kinst_context *context);

#endif
