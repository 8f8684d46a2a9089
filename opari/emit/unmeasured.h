/*
 * Unmeasured: notes in the compiled code that name the constructs without calls around them, so that the program's
 * reports can say how many there are (runtime/base/unmeasured.h).
 *
 * The notes are assembler text.  A C or C++ text gets them as an `asm` at its end; what is compiled as it is, and Fortran,
 * has them as one more file of the assembler's, which goes with gcc's compilers only.
 */
#ifndef KINST_UNMEASURED_H
#define KINST_UNMEASURED_H

#include "opari/base/text.h"
#include "opari/emit/emit.h"

/* Is it one that the user does not know of?  What --disable left out is not. */
int kinst_unmeasured_is(const struct kinst_construct *construct);

/* Add the note of a construct; relative file names are in `directory`. */
void kinst_unmeasured_add(struct kinst_text *assembler, const struct kinst_construct *construct, const char *directory,
			  const char *why);

/* Add assembler text to a C or C++ one, as its last line. */
void kinst_unmeasured_show(struct kinst_text *text, const struct kinst_text *assembler);

#endif
