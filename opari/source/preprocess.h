/*
 * Preprocess: what the preprocessor makes of a source.
 */
#ifndef KINST_PREPROCESS_H
#define KINST_PREPROCESS_H

#include "opari/source/kinst_source.h"

/*
 * Preprocesses the original into the file source->preprocessed, and writes the dependency file of the plain compile.
 * Returns 0 when that failed, and 1 otherwise.
 */
int kinst_preprocess(struct kinst_source *source, const struct kinst_context *context);

/* Replaces macros in the arguments of `inst data`, which compilers leave as they are, by what they mean. */
void kinst_preprocess_data(struct kinst_source *source, const struct kinst_context *context, struct kinst_text *text);

/*
 * Reads a source once more for the files that the compiler writes meanwhile.
 *
 * mode: "-E" for what the environment asks for, "-fsyntax-only" for the dependency file
 */
void kinst_preprocess_depend(const struct kinst_source *source, const struct kinst_context *context, const char *mode);

#endif
