/*
 * Run: one run of the program opari2.
 */
#ifndef KINST_RUN_H
#define KINST_RUN_H

#include "opari/base/text.h"

struct kinst_opari2 {
	const char *language, *form;    /* its options; the form is NULL but for Fortran */
	const char *name;               /* what the text's file shall be called */
	const char *disable;            /* the list of --disable, or NULL */
	int openmp;                     /* 0: calls of locks stay as they are */
};

/* Run it on a text; `include` gets the file that its output includes.  0, or -1 with the cause in *why, which the caller frees. */
int kinst_opari2_run(const struct kinst_opari2 *how, const struct kinst_text *text, struct kinst_text *output,
		     struct kinst_text *include, char **why);

#endif
