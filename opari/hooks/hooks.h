/*
 * Hooks: how a compiler is told to call a function before each access to memory.
 *
 * Both gcc and clang do so with -fsanitize=thread; only the compile step sees the option, neither the
 * preprocessor (the program's tests of __SANITIZE_THREAD__ see nothing) nor the linker (libtsan stays away).
 * What the compilers leave out, and which options make them leave out less, is in tests/access/HOLES.
 */
#ifndef KINST_HOOKS_H
#define KINST_HOOKS_H

#include "opari/command/command.h"
#include "opari/command/compiler.h"

enum kinst_hooks {
	KINST_HOOKS_OFF,
	KINST_HOOKS_ON,	   /* what the optimised code accesses */
	KINST_HOOKS_SOURCE /* what the text of the source accesses */
};

/* The user's own -fsanitize= with which hooks cannot be had, or NULL. */
const char *kinst_hooks_conflict(const struct kinst_command *command);

/* Is the last word on -fsanitize=thread that libtsan is linked? */
int kinst_hooks_libtsan(const struct kinst_command *command);

/* Is there an -flto that hooks would get lost in? */
int kinst_hooks_lto(const struct kinst_command *command);

/* The options of the compile step; `folder` is libompp_access.a's. */
void kinst_hooks_add(struct kinst_words *words, const struct kinst_compiler *compiler,
		     const struct kinst_command *command, enum kinst_language language,
		     enum kinst_hooks hooks, const char *folder);

/*
 * Make calls of the block functions that gcc would expand in place after hooks were put in: __builtin_memcpy
 * and those that _FORTIFY_SOURCE makes of memcpy.  For preprocessed C and C++; the lines keep their numbers.
 */
void kinst_hooks_text(struct kinst_text *result, const struct kinst_text *text,
		      const struct kinst_command *command, enum kinst_language language);

/*
 * What a hooked object calls, after its compile: block and string functions become those of libompp_access.a
 * in `folder` (calls of objects without hooks stay as they are, which ld's --wrap would not do), and the
 * constructor's call tells which compiler and which kind of hooks made the object.  `unseen` ("": nothing) is
 * kept in the object.
 */
int kinst_hooks_redirect(const char *object, const struct kinst_compiler *compiler, enum kinst_hooks hooks,
			 const char *folder, const char *unseen);

/* The same for what -S writes. */
int kinst_hooks_redirect_text(const char *text, const struct kinst_compiler *compiler, enum kinst_hooks hooks,
			      const char *folder);

/* What such an object was marked with as unseen (unseen.h). */
void kinst_hooks_unseen(struct kinst_words *unseen, const char *path);

/* The old names and the new ones of the above. */
void kinst_hooks_names(struct kinst_words *old, struct kinst_words *new, const char *folder);

/* Is it a function that ends or moves blocks of memory: wrapped for the whole program? */
int kinst_hooks_wraps(const char *name);

#endif
