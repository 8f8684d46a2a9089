/*
 * Preprocess: what the preprocessor makes of a source.
 */
#ifndef KINST_PREPROCESS_H
#define KINST_PREPROCESS_H

#include "opari/build/source.h"

/* Preprocess the original into the file source->preprocessed, and write the dependency file of the plain compile; 0 when that
 * failed. */
int kinst_preprocess(struct kinst_source *source, const struct kinst_context *context);

/* Macros in the arguments of `inst data`, which compilers leave as they are, become what they mean. */
void kinst_preprocess_data(struct kinst_source *source, const struct kinst_context *context, struct kinst_text *text);

#endif
