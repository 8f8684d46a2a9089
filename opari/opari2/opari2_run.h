/*
 * Run: one run of the program opari2.
 */
#ifndef KINST_OPARI2_RUN_H
#define KINST_OPARI2_RUN_H

#include "opari/base/kinst_text.h"

struct kinst_opari2 {
	const char *language; /* opari2's option for the language */
	const char *form;     /* opari2's option for the form of Fortran, or NULL */
	const char *name;     /* the name that the text's file shall have */
};

/* Runs opari2 on a text.  Returns 0, or -1 with the cause in *why, which the caller frees.
 * include: gets the file that opari2's output includes */
int kinst_opari2_run(const struct kinst_opari2 *how, const struct kinst_text *text, struct kinst_text *output,
                     struct kinst_text *include, char **why);

#endif
