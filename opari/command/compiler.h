/*
 * Compiler: what the command in front of the arguments is, found by asking it.  Wrappers (mpicc) answer for
 * the compiler they call; launchers (ccache gcc) answer only together with the word that follows them.
 */
#ifndef KINST_COMPILER_H
#define KINST_COMPILER_H

#include "opari/base/text.h"

struct kinst_compiler {
	struct kinst_words words;       /* launchers and the compiler */
	int clang;                      /* clang's options, else gcc's */
	int cxx;                        /* compiles .c as C++ */
	int x86;                        /* makes code for x86 */
};

/* Find it at the front of `command`; 0, or -ENOENT when nothing there answers like gcc or clang: then the
 * words are the first one alone. */
int kinst_compiler_find(struct kinst_compiler *compiler, const struct kinst_words *command);
void kinst_compiler_free(struct kinst_compiler *compiler);

#endif
