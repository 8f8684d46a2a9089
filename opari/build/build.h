/*
 * Build: does what the user's command does, so that the resulting program is measured.
 *
 * Each source is prepared (prepare.h).  Then one command compiles all of them and links (replacement.h); or, where
 * sources get access hooks, each is compiled by itself (step.h).  All messages and statuses are those of the plain
 * command: if the instrumented compile has any messages, they are discarded, and those of a compile of the originals
 * are shown.
 */
#ifndef KINST_BUILD_H
#define KINST_BUILD_H

#include "opari/command/command.h"
#include "opari/command/compiler.h"
#include "opari/command/options.h"

/* The word that defines the macro by which sources know kinst. */
#define KINST_MACRO "-D__KINST__"

/*
 * Builds, and returns the exit status.
 *
 * words: the user's whole command, which is run as it is where there is nothing to do
 */
int kinst_build(const struct kinst_options *options, const struct kinst_compiler *compiler,
                const struct kinst_command *command, const struct kinst_words *words);

/*
 * Replaces kinst by a command (exec).  Returns the exit status, after a message, only if it cannot be run.
 *
 * in: a descriptor that becomes its standard input, or -1 for ours
 */
int kinst_build_plain(const struct kinst_words *words, int in);

#endif
