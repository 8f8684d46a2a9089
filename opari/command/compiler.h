/*
 * Compiler: identifies the program in front of the arguments by running it.
 *
 * Wrappers (mpicc) answer for the compiler that they call.  Launchers (ccache gcc) answer only together with the
 * following word.
 */
#ifndef KINST_COMPILER_H
#define KINST_COMPILER_H

#include "opari/base/kinst_text.h"

struct kinst_compiler {
	struct kinst_words words; /* the launchers and the compiler */
	int clang;                /* it takes clang's options, not gcc's */
	int flang;                /* it is LLVM's Fortran compiler, whose driver is clang's, too */
	int cxx;                  /* it compiles .c as C++ */
	int x86;                  /* it makes code for x86 */
	char *target;  /* the machine that it makes code for, "x86_64-linux-gnu"; NULL when it does not say */
	char *version; /* "gcc 12.2.0", "clang 14.0.6", "flang 19.1.7" */
	char *build;   /* a name for exactly this build of it: "12_2_0_5f3a…" of gcc, "clang_14_0_6_41b0…" */
};

/*
 * Finds the compiler at the front of `command`.  Returns 0, or -ENOENT when nothing there answers like gcc, clang or
 * flang; then the words are the first one alone.
 */
int kinst_compiler_find(struct kinst_compiler *compiler, const struct kinst_words *command);
/* Returns the major version of clang or flang; 0 for gcc. */
int kinst_compiler_clang(const struct kinst_compiler *compiler);

void kinst_compiler_free(struct kinst_compiler *compiler);

/* Returns 1 when a name is that of a program: a path, or a name that PATH has. */
int kinst_is_program(const char *name);

/*
 * Returns 1 when the word before may be a launcher that starts this one, so that both are queried together, as in `env
 * A=1 gcc`.  A word that is not a program is an argument, as in `ar qc libx.a`.
 */
int kinst_compiler_may_be_started(const char *word);

#endif
