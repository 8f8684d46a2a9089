/*
 * Redirect: lets the calls that files of the program make to functions of other files lead to functions of ours.
 *
 * Such a call, and the address of a function that is taken, goes by a word of the calling file that the dynamic linker
 * fills in (the global offset table).  These words are changed, and no instruction is.  A call within one file does not
 * go by such a word, and is not met.  Static programs get such words from kinst (adapters/static_call.h).
 */
#ifndef OMPP_HOST_REDIRECT_H
#define OMPP_HOST_REDIRECT_H

#include <stddef.h>

struct ompp_redirection {
	const char *name;
	void (*to)(void);
	void (**real)(void); /* gets the function that the program gets by this name, before any call leads to `to` */
	int is_allocators; /* 1: a file that has a `malloc` of its own, or such a static program, calls the real one */
};

/* A function that a static program calls by a word of ours. */
struct ompp_static_call {
	const char *name;
	void (*to)(void);   /* the word */
	void (*real)(void); /* NULL: the program has none */
};

/* Returns the function of this name that a static program has; NULL when it has no word for it, or is not static. */
void (*ompp_redirect_static(const char *name))(void);

/* Redirects the calls of all files that are loaded now.  What no file has is left out, and its *real stays NULL.
 * Returns how many words were changed; -ENOTSUP when the list has malloc() and the program itself has one, which its
 * own calls reach without such words, or on processors whose relocations are not known here. */
int ompp_redirect(const struct ompp_redirection *list, size_t n);

#endif
