/*
 * Machine: whether libompp is for the machine, and its system, that the user's compiler makes code for.
 */
#ifndef KINST_MACHINE_H
#define KINST_MACHINE_H

#include "opari/command/command.h"
#include "opari/command/compiler.h"

/*
 * Returns NULL when libompp in this folder is for the command's machine, or when one of both is not known; otherwise
 * the name of the command's machine, as in "aarch64-linux-gnu", which the caller frees.
 */
char *kinst_machine_other(const struct kinst_compiler *compiler, const struct kinst_command *command,
                          const char *library);

/*
 * Returns the folder of libompp for the command's machine, which the caller frees: that of kinst_folders_library(), or,
 * where it is for another machine, the folder within or beside it that has the machine's name and a libompp for it, as
 * lib/aarch64-linux-gnu.  Where there is none it is the first one.
 */
char *kinst_machine_library(const struct kinst_compiler *compiler, const struct kinst_command *command);

/* Returns the name of a machine without its vendor, as folders have it: "aarch64-linux-gnu" of
 * "aarch64-unknown-linux-gnu".  The caller frees it. */
char *kinst_machine_folder(const char *name);

/* Returns 0 when the compiler makes code for another machine than this one. */
int kinst_machine_is_this(const struct kinst_compiler *compiler);

#endif
