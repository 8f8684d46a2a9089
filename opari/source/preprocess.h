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

/* Reads a source once more for the dependencies that the environment asks for (environment.h). */
void kinst_preprocess_environment(const struct kinst_source *source, const struct kinst_context *context);

/*
 * Reads a source of Fortran once more for its dependency file, in which the compiler writes more than the preprocessor
 * does: modules, as targets, and files of INCLUDE lines and of the C library.  The compile itself had no words for it,
 * also where it compiled the source as it is.  Returns 0, also where no such file is wanted, or the compiler's status.
 *
 * speaks: 1 to have the compiler say why there is none, as the compile has said nothing of it
 */
int kinst_preprocess_depend(const struct kinst_source *source, const struct kinst_context *context, int speaks);

#endif
