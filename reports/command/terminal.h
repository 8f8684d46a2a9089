/*
 * Terminal: what a terminal gets that a file does not: colours, bars, and a pager.
 */
#ifndef OMPP_TERMINAL_H
#define OMPP_TERMINAL_H

#include <stddef.h>
#include <sys/types.h>

struct ompp_report_options;

/* The words of --color, "auto", "always", "never"; NULL past the last. */
const char *ompp_color_word(size_t i);

/* Fills in what standard output can show.  With "auto" there are colours if standard output is a terminal, unless
 * NO_COLOR is set (no-color.org) or TERM is "dumb". */
void ompp_terminal_look(struct ompp_report_options *options);

/* Starts a pager where standard output is a terminal: OMPP_PAGER, PAGER or less, where an empty word or "cat" means
 * none, and not in a rank that a launcher started.  From then on standard output goes to it.  Returns its process, or 0
 * without one. */
pid_t ompp_pager_start(void);

/* Waits until the reader leaves the pager; pid 0 does nothing.  Returns 0, or -1 after a complaint. */
int ompp_pager_end(pid_t pid);

#endif
