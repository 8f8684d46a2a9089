/*
 * Say: kinst's messages on stderr.  Names in them (files, options, what stands in a source) are strangers', and are shown as
 * a terminal may get them (runtime/base/clean.h).
 */
#ifndef KINST_SAY_H
#define KINST_SAY_H

/* As printf: a message, or a part of one.  A line feed at the end of it stays, one of a name does not. */
__attribute__((format(printf, 1, 2))) void kinst_say(const char *format, ...);

/* Messages that are made already, of any number of lines; NULL: none. */
void kinst_say_lines(const char *lines);

#endif
