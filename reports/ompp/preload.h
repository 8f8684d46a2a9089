/*
 * Preload: has programs measured that kinst did not build: libompp is loaded into them before all else, and sees the
 * calls that they make to the OpenMP library (runtime/interpose).
 */
#ifndef OMPP_PRELOAD_H
#define OMPP_PRELOAD_H

/* What a program has to do with kinst, by its file. */
enum ompp_program_kind {
	OMPP_PROGRAM_LIBOMPP, /* it uses libompp */
	OMPP_PROGRAM_OPENMP,  /* it uses a library of OpenMP, but not libompp */
	OMPP_PROGRAM_NEITHER,
	OMPP_PROGRAM_STATIC /* it uses no libraries at all, and not libompp */
};

/* Returns what the program uses.
 * is_secure: set to 1 when it is set-uid or set-gid; may be NULL */
enum ompp_program_kind ompp_program_kind(const char *program, int *is_secure);

/* Finds libompp for a program that kinst did not build.  Returns 1 when it is to be loaded by ompp_preload_here(). */
int ompp_preload_find(const char *program);

/* Has the program that this process becomes, and those that it starts, load the library that was found.  Called between
 * fork() and exec. */
void ompp_preload_here(void);

#endif
