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
 * The section of our static data in the user's texts.  Linkers put it behind the program's data, so that these keep
 * their places and alignment.  By the first part of its name compilers take it for zeros that need no room in the
 * file.
 */
#define KINST_STATICS ".sbss.kinst"

void kinst_prologue(struct kinst_text *out, int cxx);

/* Adds the declarations that the calls of data_calls.c need. */
void kinst_prologue_data(struct kinst_text *out, int cxx);

#endif
