/*
 * ompp: the program that runs measured programs and reads saved profiles.
 */
#ifndef OMPP_PROGRAM_H
#define OMPP_PROGRAM_H

#include <stddef.h>

#include "reports/command/arguments.h"

/* Does everything but main(). argv[0] is the program's name.  Returns the exit status. */
int ompp_main(int argc, char **argv);

/* Returns command i, in the order in which they are listed; NULL past the last. */
const struct ompp_command *ompp_command(size_t i);

/* Prints what commands there are, on stdout or stderr. */
void ompp_commands_print(int is_error);

/* Says why a program that was run left no profile in the folder; nothing when the program has said so itself. */
void ompp_explain_absent(const char *program, int wait_status, const char *folder);

#endif
