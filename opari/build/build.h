/*
 * Build: does what the user's command does, so that the program which comes of it is measured.
 *
 * Each source is prepared (prepare.h).  Then one command compiles all of them and links (replacement.h); or, where
 * sources get access hooks, each is compiled by itself (step.h).  All messages and statuses are those of the plain
 * command: when the instrumented compile says anything, its messages are thrown away and a compile of the originals
 * speaks.
 */
#ifndef KINST_BUILD_H
#define KINST_BUILD_H

#include "opari/command/command.h"
#include "opari/command/compiler.h"
#include "opari/command/options.h"

/*
 * Builds, and returns the exit status.
 *
 * words: the user's whole command, which is run as it is where there is nothing to do
 */
int kinst_build(const struct kinst_options *options, const struct kinst_compiler *compiler,
                const struct kinst_command *command, const struct kinst_words *words);

/*
 * Becomes a command.  Returns the exit status only when it cannot be run, after a message.
 *
 * in: a descriptor that becomes its standard input, or -1 for ours
 */
int kinst_build_plain(const struct kinst_words *words, int in);

#endif
