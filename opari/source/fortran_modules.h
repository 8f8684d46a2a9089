/*
 * Fortran modules: those that a source defines, and those that it uses.
 *
 * Its own are those that it both defines and uses.  gfortran reads their files back, and looks for them in the current
 * folder, the source's and those of -I before that of -J: a file of an earlier build there would be read in place of
 * one that a compile for messages has just written to a folder of ours.
 *
 * Late ones are those that it uses and that a source behind it in the command defines, so that what is there of them
 * while it is compiled is not what is there afterwards.
 */
#ifndef KINST_FORTRAN_MODULES_H
#define KINST_FORTRAN_MODULES_H

#include "opari/source/kinst_source.h"

/*
 * Finds the names of the modules of a Fortran source, for source->modules and source->uses.
 *
 * text:       the preprocessed source
 * has_others: 1 when other sources may define what it uses
 */
void kinst_fortran_modules_find(struct kinst_source *source, const struct kinst_text *text, int has_others);

/* Returns 1 when the file of an own module stands now where the compiler looks for it first. */
int kinst_fortran_modules_stand(const struct kinst_source *source, const struct kinst_context *context);

/* Returns 1 when a source behind this one defines a module that this one uses, or may use in a file that it includes.
 */
int kinst_fortran_modules_are_late(const struct kinst_source *source, const struct kinst_source *behind);

#endif
