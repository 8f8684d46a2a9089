/*
 * Hooks: how a compiler is told to call a function before each access to memory.
 *
 * gcc and clang do so with -fsanitize=thread.  Only the compile step sees this option: neither the preprocessor, so
 * that the program's tests of __SANITIZE_THREAD__ do not find it, nor the linker, so that libtsan stays away.
 * tests/access/HOLES tells what the compilers leave out, and which options make them leave out less.
 */
#ifndef KINST_HOOKS_H
#define KINST_HOOKS_H

#include "opari/command/command.h"
#include "opari/command/compiler.h"

enum kinst_hooks {
	KINST_HOOKS_OFF,
	KINST_HOOKS_ON,    /* the accesses of the optimised code */
	KINST_HOOKS_LOOPS, /* the same, whole loops at once (loops.h) */
	KINST_HOOKS_SOURCE /* the accesses in the text of the source */
};

/* Returns the user's own -fsanitize= option that excludes hooks, or NULL. */
const char *kinst_hooks_conflict(const struct kinst_command *command);

/* Returns 1 when libtsan is linked, as the last of the options about -fsanitize=thread asks for it. */
int kinst_hooks_libtsan(const struct kinst_command *command);

/* Returns the path of the archive of hooks in libompp's folder, to be freed. */
char *kinst_hooks_archive(const char *folder);

/*
 * Adds the options of the compile step.
 *
 * folder: where libompp_access.a is
 */
void kinst_hooks_add(struct kinst_words *words, const struct kinst_compiler *compiler,
                     const struct kinst_command *command, enum kinst_language language, enum kinst_hooks hooks,
                     const char *folder);

/*
 * Rewrites a preprocessed C or C++ text so that block functions stay calls that gcc would inline after the hooks were
 * put in: __builtin_memcpy, and the forms of memcpy under _FORTIFY_SOURCE.  The lines keep their numbers.
 */
void kinst_hooks_text(struct kinst_text *result, const struct kinst_text *text, const struct kinst_command *command,
                      enum kinst_language language);

/*
 * Changes what a hooked object calls, after its compile.  Its block and string functions become those of
 * libompp_access.a; calls of objects without hooks stay as they are, which ld's --wrap would not allow.  The call in
 * its constructor then shows which compiler and which kind of hooks made the object.
 *
 * folder:    where libompp_access.a is
 * uncounted: a text that is kept in the object, or ""
 */
int kinst_hooks_redirect(const char *object, const struct kinst_compiler *compiler, enum kinst_hooks hooks,
                         const char *folder, const char *uncounted);

/* Does the same with the text that -S writes. */
int kinst_hooks_redirect_text(const char *text, const struct kinst_compiler *compiler, enum kinst_hooks hooks,
                              const char *folder);

/* Returns the texts that were kept in such objects: accesses that have no hook (uncounted.h). */
void kinst_hooks_uncounted(struct kinst_words *uncounted, const char *path);

/* Returns the names that kinst_hooks_redirect() replaces, and those that it puts in their place. */
void kinst_hooks_names(struct kinst_words *old, struct kinst_words *new, const char *folder);

/* Returns 1 for a function that moves or ends blocks of memory, which is wrapped in the whole program. */
int kinst_hooks_wraps(const char *name);

#endif
