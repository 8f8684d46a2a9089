/*
 * Watcher options: the options that `ompp stat`, `ompp record` and `ompp live` share.
 */
#ifndef OMPP_WATCHER_OPTIONS_H
#define OMPP_WATCHER_OPTIONS_H

#include <stdint.h>

#include "reports/command/command_line.h"
#include "reports/watch/watcher.h"

/* The options, whose request is the watcher. */
enum { OMPP_WATCHER_OPTIONS = 8 };
extern const struct ompp_command_option ompp_watcher_options[OMPP_WATCHER_OPTIONS];

/* Reads the command line: the options of a command, and the program behind "--".  Returns 0, or the exit status + 1.
 * request: what the options set, with the watcher in it
 * file: gets a word that is no option, of which one is allowed; or NULL */
int ompp_watcher_parse(struct ompp_watcher *watcher, const struct ompp_command *command, void *request, int argc,
                       char **argv, const char **file);

/* A recording cannot be combined with anything to watch: returns 1 if only a recording is given; otherwise complains
 * and returns 0. */
int ompp_watcher_is_idle(const struct ompp_watcher *watcher, const char *recording);

/* Reads a time such as 100ms, 1s, 0.5 or 250us.  Returns 0; -1 for one that is no time, too short or too long. */
int ompp_watcher_time(const char *word, int64_t *ns);

#endif
