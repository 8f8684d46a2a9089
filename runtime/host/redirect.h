/*
 * Redirect: redirects calls between files of the program (the program and its libraries) to functions of ours.
 *
 * Such a call, and taking the address of such a function, uses an entry of the calling file's global offset table
 * (GOT), which the dynamic linker fills in.  We change these entries, and no instruction.  A call within one file does
 * not use the GOT, so it is not redirected.  kinst gives static programs entries of the same kind
 * (adapters/static_call.h).
 */
#ifndef OMPP_HOST_REDIRECT_H
#define OMPP_HOST_REDIRECT_H

#include <stddef.h>
#include <stdint.h>

/* Whose calls are redirected. */
enum ompp_redirected {
	OMPP_REDIRECT_ALL,
	OMPP_REDIRECT_NO_ALLOCATORS, /* not those of a file that has a `malloc` of its own, nor of such a static program
	                              */
	OMPP_REDIRECT_UNBUILT,       /* those of files that kinst did not build, but the OpenMP library */
	OMPP_REDIRECT_NO_MPI,        /* not those of the MPI library */
	OMPP_REDIRECT_MPI_FORTRAN    /* those of MPI's libraries for Fortran, which call its C functions */
};

struct ompp_dynamic;

struct ompp_redirection {
	const char *name;
	void (*to)(void);
	void (**real)(void); /* set to the function to which the program's calls would go, before any call is redirected
	                        to `to` */
	enum ompp_redirected files;
};

/* A function that a static program calls through an entry of ours. */
struct ompp_static_call {
	const char *name;
	void (*to)(void);   /* the entry */
	void (*real)(void); /* NULL: the program does not have it */
};

/* Returns the function of this name in a static program; NULL when there is no entry for it, or the program is not
 * static. */
void (*ompp_redirect_static(const char *name))(void);

/* Returns 1 when kinst built a part of the file that has this address. */
int ompp_redirect_is_built(uintptr_t address);

/* Returns 1 when a file that kinst did not build calls functions whose names begin so.
 * own: a function of the library that has them, which is not such a file */
int ompp_redirect_has_unbuilt(const char *begin, const char *own);

/* Return 1 for an MPI library, and for one that has MPI's functions for Fortran. */
int ompp_redirect_is_mpi(const struct ompp_dynamic *file);
int ompp_redirect_is_mpi_fortran(const struct ompp_dynamic *file);

/* Adds a list, which is used from the next ompp_redirect_all() on: each list once, and of two that have the same
 * function the later one counts.  Returns 0; -ENOTSUP when the list has malloc() and the program itself defines it, so
 * that its own calls do not use the GOT; -ENOSYS on processors whose relocations are not supported here. */
int ompp_redirect_add(const struct ompp_redirection *list, size_t n);

/* Redirects the calls of all files that are loaded now, by all lists, in one walk over their relocations.  A function
 * that no file has is skipped, and its *real stays NULL.  The first call is that of the start, before the program can
 * have loaded a file. */
void ompp_redirect_all(void);

/* Adds a list, and redirects the calls that are in it at once.  Returns how many entries were changed, or what
 * ompp_redirect_add() returns. */
int ompp_redirect(const struct ompp_redirection *list, size_t n);

#endif
