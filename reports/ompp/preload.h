/*
 * Preload: has programs measured that kinst did not build: libompp is loaded into them before all else, and sees the
 * calls that they make to the OpenMP library (runtime/interpose).
 */
#ifndef OMPP_PRELOAD_H
#define OMPP_PRELOAD_H

#include <stddef.h>

/* What a program has to do with kinst, by its file. */
enum ompp_program_kind {
	OMPP_PROGRAM_LIBOMPP, /* it uses libompp */
	OMPP_PROGRAM_OPENMP,  /* it uses a library of OpenMP, but not libompp */
	OMPP_PROGRAM_NEITHER,
	OMPP_PROGRAM_STATIC, /* it uses no libraries at all, and not libompp */
	OMPP_PROGRAM_MUSL    /* it is for the C library musl, into whose programs libompp cannot be loaded */
};

/* Returns what the program uses.
 * is_secure: set to 1 when it is set-uid or set-gid; may be NULL */
enum ompp_program_kind ompp_program_kind(const char *program, int *is_secure);

/* Returns the program that a command runs: its first word, or the one that it gives to a dynamic linker. */
const char *ompp_preload_program(char *const *argv);

/* Returns 1 when nothing can be loaded into such a program. */
int ompp_program_is_closed(enum ompp_program_kind kind);

/* Finds a file of kinst: in $KINST_LIBDIR, beside ompp, where it is built, or where it is installed.  Returns 1 when it
 * is there. */
int ompp_preload_part(const char *name, const char *installed, char *path, size_t n_path);

/* Returns the path of libompp; NULL when it is not found. */
const char *ompp_preload_library(void);

/* Has the program that this process becomes know that it is the one that was run.  Called between fork() and exec. */
void ompp_preload_number(void);

/* Finds libompp for a program that kinst did not build.  Returns 1 when it is to be loaded by ompp_preload_here(). */
int ompp_preload_find(const char *program);

/* Has the program that this process becomes, and those that it starts, load the library that was found.  Called between
 * fork() and exec. */
void ompp_preload_here(void);

#endif
