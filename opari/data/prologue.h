/*
 * Prologue: the declarations that instrumented C and C++ needs, as text without macros and includes, so that
 * nothing comes before the user's own includes and feature-test macros.
 */
#ifndef KINST_PROLOGUE_H
#define KINST_PROLOGUE_H

#include "opari/base/text.h"

/* The section of our static data in the user's texts.  Linkers put it behind the program's data, so that these keep their
 * places and alignment.  Compilers take it for zeros without room in the file, by the first part of the name. */
#define KINST_STATICS ".sbss.kinst"

void kinst_prologue(struct kinst_text *out, int cxx);

/* The same for the calls that data_calls.c makes. */
void kinst_prologue_data(struct kinst_text *out, int cxx);

#endif
