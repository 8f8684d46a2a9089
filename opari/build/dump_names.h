/*
 * Dump names: where gcc puts files beside the output, such as those of -fstack-usage, -save-temps and -MD, when the
 * user names them by -dumpbase, -dumpbase-ext or -dumpdir.
 *
 * What these words mean depends on all others of the command, and on how many sources it has.  So the driver is asked
 * (-###) which of them it would give to the compiler proper of each source.
 */
#ifndef KINST_DUMP_NAMES_H
#define KINST_DUMP_NAMES_H

#include "opari/command/command.h"

/* Returns 1 when words of the command name such files. */
int kinst_dump_names_given(const struct kinst_command *command);

/* Finds what holds for each source, where there are such words.
 * words: the user's command */
void kinst_dump_names_find(struct kinst_command *command, const struct kinst_words *words);

#endif
