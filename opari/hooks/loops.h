/*
 * Loops: the plug-ins by which gcc and clang count whole loops where they would call a hook for each access, and the
 * operations on numbers (opari/hooks/plugin).
 *
 * A plug-in works only with exactly the compiler for which it was built, so its file is named after the compiler's
 * build (compiler.h), and no other compiler gets it.
 */
#ifndef KINST_LOOPS_H
#define KINST_LOOPS_H

#include "opari/command/command.h"
#include "opari/command/compiler.h"

/*
 * Returns the path of the plug-in for a compiler, which the caller frees; NULL when there is none.  It is beside the
 * libompp of this machine, also for a compiler that makes code for another one.
 */
char *kinst_loops_find(const struct kinst_compiler *compiler);

/* Returns 1 when the plug-in is useful at the command's level of optimisation. */
int kinst_loops_optimised(const struct kinst_command *command);

/* What a plug-in counts, as bits. */
enum { KINST_LOOPS_ACCESSES = 1, KINST_LOOPS_WORK = 2 };

/* Adds the options of the compile step.
 * counts:    the bits above
 * uncounted: a file to which the plug-in adds the kinds of accesses that have no hook, a line each; or NULL */
void kinst_loops_add(struct kinst_words *words, const struct kinst_compiler *compiler,
                     const struct kinst_command *command, const char *plugin, unsigned int counts,
                     const char *uncounted);

/* Returns 1 when a compile that is made only for its messages may stop early: when the command asks for no messages of
 * later passes, and for no other file. */
int kinst_loops_messages(const struct kinst_command *command);

/* Lets the plug-in stop the compile early: that saves about half of its time, and most of it if the command asks for no
 * warnings.  Only gcc's plug-in can. */
void kinst_loops_add_messages(struct kinst_words *words, const struct kinst_compiler *compiler,
                              const struct kinst_command *command, const char *plugin);

/* Builds the plug-in for a compiler: kinst --build-plugin=COMPILER.  Returns the exit status, after a message in either
 * case.  A gcc that makes code for another machine cannot build its own: g++ does. */
int kinst_loops_build(const struct kinst_compiler *compiler);

#endif
