/*
 * Link: what the link step of an instrumented program needs beyond the user's words, and whether it needs it.
 */
#ifndef KINST_LINK_H
#define KINST_LINK_H

#include "opari/command/command.h"

/* Does an object, archive or library among the inputs refer to the runtime?  Looks into the files' bytes, so
 * that ELF, archives and the intermediate code of -flto are all the same. */
int kinst_link_needed(const struct kinst_command *command);

/* The user's files in a link, by whether their code calls access hooks; an archive or library is one file. */
struct kinst_link_files {
	int                any_hooked;
	unsigned int       n_hooked;            /* all of their code */
	struct kinst_words unhooked;            /* names of the others */
	struct kinst_text  unseen;              /* "kernel.o: long double; …": hooked, but not all of it */
};

/* Look at all inputs that are no sources, and at the libraries in folders of -L. */
void kinst_link_look(struct kinst_link_files *files, const struct kinst_command *command);

/* Add a file to the unseen ones. */
void kinst_link_unseen(struct kinst_link_files *files, const char *path, const char *unseen);

enum kinst_link_hooks {
	KINST_LINK_NO_HOOKS,
	KINST_LINK_HOOKS,
	KINST_LINK_CXX_HOOKS            /* the linking compiler is one for C++ */
};

/* Add libompp from `folder`, its rpath unless the program is static, and the wrapped functions; with hooks,
 * also libompp_access and what it wraps. */
void kinst_link_add(struct kinst_words *words, const struct kinst_command *command, const char *folder,
		    enum kinst_link_hooks hooks);

#endif
