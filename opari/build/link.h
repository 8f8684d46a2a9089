/*
 * Link: what the link step of an instrumented program needs besides the user's words, and whether it is needed.
 */
#ifndef KINST_LINK_H
#define KINST_LINK_H

#include "opari/command/command.h"

/*
 * Returns 1 when an object, archive or library among the inputs refers to the runtime.  It looks for names in the
 * files' bytes, so that ELF, archives and the intermediate code of -flto are all the same.
 */
int kinst_link_needed(const struct kinst_command *command);

/* The user's files in a link, by whether their code calls access hooks, and counts its operations.  An archive or
 * library is one file. */
struct kinst_link_files {
	int any_hooked;
	unsigned int n_hooked;       /* files whose code is all hooked */
	struct kinst_words unhooked; /* names of the files with code that is not */
	unsigned int n_works;        /* files whose operations are counted */
	struct kinst_words idle;     /* names of the others */
	struct kinst_text uncounted; /* files with accesses that have no hook: "a.o: long double; …" */
};

/* Looks at all inputs that are no sources, and at the libraries in folders of -L. */
void kinst_link_look(struct kinst_link_files *files, const struct kinst_command *command);

/* Adds a file to those with accesses that have no hook. */
void kinst_link_uncounted(struct kinst_link_files *files, const char *path, const char *uncounted);

/*
 * Adds libompp, its rpath unless the program is static, and the wrapped functions; with hooks also libompp_access and
 * the functions that it wraps, in static programs libompp_static and its functions.
 *
 * folder: where libompp is
 * cxx:    1 when the compiler that links is one for C++
 * hooked: 1 when code with access hooks is linked
 */
void kinst_link_add(struct kinst_words *words, const struct kinst_command *command, const char *folder, int cxx,
                    int hooked);

#endif
