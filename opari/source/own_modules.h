/*
 * Own modules: those that a Fortran source both defines and uses.  gfortran reads their files back, and looks for them
 * in the current folder, the source's and those of -I before that of -J: a file of an earlier build there would be read
 * in place of one that a compile for messages has just written to a folder of ours.
 */
#ifndef KINST_OWN_MODULES_H
#define KINST_OWN_MODULES_H

#include "opari/source/kinst_source.h"

/* Finds the names of a Fortran source's own modules, for source->own_modules.  text: the preprocessed source */
void kinst_own_modules_find(struct kinst_source *source, const struct kinst_text *text);

/* Returns 1 when the file of an own module stands now where the compiler looks for it first. */
int kinst_own_modules_stand(const struct kinst_source *source, const struct kinst_context *context);

#endif
