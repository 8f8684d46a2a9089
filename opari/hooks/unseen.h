/*
 * Unseen: accesses of a hooked object that its compiler gave no hook, as far as they can be found; see
 * tests/access/HOLES.
 */
#ifndef KINST_UNSEEN_H
#define KINST_UNSEEN_H

#include "opari/base/text.h"
#include "opari/command/compiler.h"

/* Of an object of ours: the kinds of vector and floating-point instructions.  Adds to a list, "long double,
 * …". */
void kinst_unseen_in_object(struct kinst_text *list, const char *object,
			    const struct kinst_compiler *compiler);

/* Of preprocessed C and C++: assembler in the program's own lines that may access memory, and vectors that
 * clang may access in parts. */
void kinst_unseen_in_text(struct kinst_text *list, const struct kinst_text *text,
			  const struct kinst_compiler *compiler);

/* Of gfortran's -fdump-tree-optimized: blocks that are too small for a call. */
void kinst_unseen_in_dump(struct kinst_text *list, const struct kinst_text *dump);

#endif
