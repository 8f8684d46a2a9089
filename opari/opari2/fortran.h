/*
 * Fortran: what opari2 gets to see of a Fortran text, and the way back.
 *
 * opari2 needs the whole text here, for it must find where declarations go.  Its include file is put in where
 * it is included, so that no temporary name reaches the object; the line markers get the original's name as
 * the user wrote it; the directives of data.h become comments on the way (data_fortran.h); the registration
 * subroutines, which nobody calls, are left out.
 */
#ifndef KINST_FORTRAN_H
#define KINST_FORTRAN_H

#include "opari/base/text.h"

struct kinst_fortran_options {
	int openmp;                     /* OpenMP directives too, not only the user's POMP directives */
	int fixed;                      /* fixed form */
	const char *file;               /* the original, as the user wrote it */
	const char *directory;          /* the current folder */
	const char *std;                /* the value of -std=, or NULL */
};

/* The text for opari2.  0: there is nothing to instrument.  Directives without effect are named on stderr. */
int kinst_fortran_prepare(const struct kinst_text *source, const struct kinst_fortran_options *options,
			  struct kinst_text *text);

/* The instrumented text of opari2's output and its include file.  0: nothing is put in; -1: it uses names
 * that it has not declared, which implicit typing would turn into variables. */
int kinst_fortran_expand(const struct kinst_text *output, const struct kinst_text *include,
			 const struct kinst_fortran_options *options, struct kinst_text *result);

#endif
