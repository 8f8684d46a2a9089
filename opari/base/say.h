/*
 * Say: kinst's messages on stderr.
 *
 * Names in them (files, options, text of a source) are untrusted, and are made safe for a terminal
 * (runtime/base/clean.h).
 */
#ifndef KINST_SAY_H
#define KINST_SAY_H

/*
 * Prints a message, or a part of one, as printf(3) does.  A line feed at its end is kept, and line feeds in names are
 * not.
 */
__attribute__((format(printf, 1, 2))) void kinst_say(const char *format, ...);

/* Prints messages that are complete already, each on its line; NULL stands for none. */
void kinst_say_lines(const char *lines);

#endif
