/*
 * Prologue: the declarations that instrumented C and C++ needs.
 *
 * They are text without macros and includes, so that nothing comes before the user's own includes and feature-test
 * macros.
 */
#ifndef KINST_PROLOGUE_H
#define KINST_PROLOGUE_H

#include "opari/base/kinst_text.h"

/*
 * The section of our static data in the user's texts.  Linkers put it after the program's data, which keep their
 * addresses and alignment.  By the prefix of its name compilers know that it is zero-initialised and takes no room in
 * the file.
 */
#define KINST_STATICS ".sbss.kinst"

void kinst_prologue(struct kinst_text *out, int cxx);

/* Adds the declarations that the calls of data_calls.c need. */
void kinst_prologue_data(struct kinst_text *out, int cxx);

#endif
