/*
 * Terminfo: what the terminal can do.  It is a file of its own because term.h defines macros with common names such as
 * `tone`.
 */
#ifndef OMPP_TUI_TERMINFO_H
#define OMPP_TUI_TERMINFO_H

/* Is the terminal known (TERM), and can it place its cursor? */
int ompp_terminfo_has_cursor(void);

#endif
