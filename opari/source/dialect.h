/*
 * Dialect: what the compiler of a call accepts, by its version and by the words it is called with.
 */
#ifndef KINST_DIALECT_H
#define KINST_DIALECT_H

#include "opari/source/kinst_source.h"

/* Returns 1 when the code inside of `target` is compiled for a device as well, where our functions do not exist. */
int kinst_dialect_has_device(const struct kinst_context *context, const struct kinst_text *text,
                             enum kinst_language language);

/*
 * Returns 1 when metadirective and dispatch are more than unknown pragmas to the compiler, as far as the text has
 * them.
 */
int kinst_dialect_knows_variants(const struct kinst_context *context, const struct kinst_text *text);

/* Returns how the compiler takes `parallel masked` and `parallel loop`, as far as the text has them. */
enum kinst_combined kinst_dialect_combined(const struct kinst_context *context, const struct kinst_text *text);

/* Returns the form of a Fortran text, as for kinst_fortran_columns(). */
int kinst_dialect_form(const struct kinst_source *source, const struct kinst_context *context);

/* Returns the value of the last -std=, or NULL. */
const char *kinst_dialect_standard(const struct kinst_command *command);

#endif
