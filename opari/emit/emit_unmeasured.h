/*
 * Unmeasured: notes in the compiled code that name the constructs without calls around them, so that the program's
 * reports can say how many there are (runtime/program/unmeasured.h).
 *
 * The notes are assembler text.  A text of C or C++ gets them as an `asm` at its end.  Fortran, and a source that is
 * compiled as it is, gets them as one more file of the assembler, which works with gcc's compilers alone.
 */
#ifndef KINST_EMIT_UNMEASURED_H
#define KINST_EMIT_UNMEASURED_H

#include "opari/base/kinst_text.h"
#include "opari/emit/emit.h"

/* Returns 1 when the construct has to be named.  One that the user left out by --disable is not named. */
int kinst_unmeasured_is(const struct kinst_construct *construct);

/* Adds a note of this type, "FILE:LINE: NAME: why" (runtime/program/unmeasured.h); the rest is as below. */
void kinst_note_add(struct kinst_text *assembler, int type, const char *file, uint32_t line, const char *directory,
                    const char *name, const char *why);

/* Adds the note of a construct.
 * directory: the folder that relative file names start from
 * why: the reason why it is not measured */
void kinst_unmeasured_add(struct kinst_text *assembler, const struct kinst_construct *construct, const char *directory,
                          const char *why);

/* Adds assembler text to a text of C or C++, as its last line. */
void kinst_unmeasured_show(struct kinst_text *text, const struct kinst_text *assembler);

#endif
