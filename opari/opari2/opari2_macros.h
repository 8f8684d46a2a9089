/*
 * Macros of opari2: the definitions in the include file that opari2 writes, and a line of its output with their values
 * in place of their names, so that no preprocessor has to see it.
 */
#ifndef KINST_OPARI2_MACROS_H
#define KINST_OPARI2_MACROS_H

#include <stddef.h>

#include "opari/base/kinst_text.h"

/* The values of the macros that opari2's include file defines, by the number in the name; "" for a number that it
 * does not define. */
struct kinst_opari2_macros {
	struct kinst_words shared, ctcs; /* POMP2_DLIST_00012, opari2_ctc_12 */
};

/* Adds a macro that a line of the include file defines.
 * value: becomes the macros' own */
void kinst_opari2_macros_define(struct kinst_opari2_macros *macros, const char *name, size_t length, char *value);

/* Adds a line of opari2's with its macros replaced by their values. */
void kinst_opari2_macros_expand(struct kinst_text *out, struct kinst_opari2_macros *macros, const char *line,
                                size_t length);

void kinst_opari2_macros_free(struct kinst_opari2_macros *macros);

#endif
