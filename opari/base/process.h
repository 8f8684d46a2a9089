/*
 * Process: runs the compiler and opari2.  Signals that would end kinst are passed on to the program that runs
 * (signals.h).
 */
#ifndef KINST_PROCESS_H
#define KINST_PROCESS_H

#include "opari/base/kinst_text.h"

/* How a program is run. */
struct kinst_run {
	const struct kinst_words *words;
	struct kinst_text *out, *err; /* get its output; NULL leaves it where it goes */
	int in;                       /* a file that is its standard input, read from the start; -1 for ours */
	int in_english;               /* its messages are in English, so that kinst can read them */
	struct kinst_run *beside;     /* runs at the same time, without out, err and in; or NULL */
	int status;                   /* of the one beside, as kinst_process_run() returns it */
};

/*
 * Catches signals from now on.
 *
 * print_fd: commands are printed there before they run; -1 for none
 */
void kinst_process_init(int print_fd);

/*
 * Runs a program to its end, and the one beside it.  Returns its exit status, or 128 + n when signal n ended it, or
 * -errno when it cannot be run.
 */
int kinst_process_run(const struct kinst_run *run);

/* Returns 1 when there seems to be an idle processor for another program. */
int kinst_process_is_room(void);

/*
 * Replaces kinst by another program (exec).  Returns only when that fails, with -errno.
 *
 * in: a file that is its standard input, read from the start; -1 for ours
 */
int kinst_process_exec(const struct kinst_words *words, int in);

/* Prints a command in one line, as a shell would take it. */
void kinst_process_print(const struct kinst_words *words, int fd);

#endif
