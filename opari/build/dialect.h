/*
 * Dialect: what the compiler of a call takes, by its version and by the words it is called with.
 */
#ifndef KINST_DIALECT_H
#define KINST_DIALECT_H

#include "opari/build/source.h"

/* Is what stands inside of `target` compiled for a device as well, where our functions are not? */
int kinst_dialect_has_device(const struct kinst_context *context, const struct kinst_text *text, enum kinst_language language);

/* Are metadirective and dispatch in the text, if they are, more than unknown pragmas to the compiler? */
int kinst_dialect_knows_variants(const struct kinst_context *context, const struct kinst_text *text);

/* And `parallel masked` and `parallel loop`? */
int kinst_dialect_knows_combined(const struct kinst_context *context, const struct kinst_text *text);

/* The form of a Fortran text, as for kinst_fortran_columns(). */
int kinst_dialect_form(const struct kinst_source *source, const struct kinst_context *context);

/* The value of the last -std=, or NULL. */
const char *kinst_dialect_standard(const struct kinst_command *command);

#endif
