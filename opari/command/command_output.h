/*
 * Command output: where a command puts what it makes of a source, and files beside that.
 */
#ifndef KINST_COMMAND_OUTPUT_H
#define KINST_COMMAND_OUTPUT_H

#include "opari/command/command.h"

/*
 * Returns the path that the compiler would choose for an output file of a source; the caller frees it.
 *
 * suffix: that of the file, as ".o" or ".d"
 */
char *kinst_command_output(const struct kinst_command *command, const struct kinst_input *input, const char *suffix,
                           int clang);

/*
 * Returns the target that a dependency file names, which the caller frees: the value of -o, or the object of the
 * source in the current folder.
 */
char *kinst_command_object(const struct kinst_command *command, const struct kinst_input *input);

#endif
