/*
 * Uncounted: accesses of hooked code for which the compiler made no hook, so that nothing counts them.
 *
 * They are found by kind, as far as that is possible; tests/access/HOLES lists the kinds.  Each function adds the
 * names of the kinds that it finds to `list`, separated by commas, as the user reads them: "long double, inline
 * assembler".
 */
#ifndef KINST_UNCOUNTED_FILES_H
#define KINST_UNCOUNTED_FILES_H

#include "opari/base/kinst_text.h"
#include "opari/command/compiler.h"

/* Looks for vector and floating-point instructions without hooks in an object that was compiled with hooks. */
void kinst_uncounted_in_object(struct kinst_text *list, const char *object, const struct kinst_compiler *compiler);

/* Adds what the plug-in (loops.h) has written: a kind a line.  Without such a file there is none. */
void kinst_uncounted_by_plugin(struct kinst_text *list, const char *path);

/*
 * Looks in a preprocessed C or C++ text for assembler that may access memory and, for clang, for vectors that it may
 * access in parts.  System headers are not looked at.
 */
void kinst_uncounted_in_text(struct kinst_text *list, const struct kinst_text *text,
                             const struct kinst_compiler *compiler);

/* Looks in gfortran's -fdump-tree-optimized for blocks that are so small that they are copied without a call. */
void kinst_uncounted_in_dump(struct kinst_text *list, const struct kinst_text *dump);

#endif
