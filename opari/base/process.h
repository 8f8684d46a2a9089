/*
 * Process: running the compiler and opari2.  Signals that would end kinst are passed on to what runs (signals.h).
 */
#ifndef KINST_PROCESS_H
#define KINST_PROCESS_H

#include "opari/base/text.h"

/* How one child runs. */
struct kinst_run {
	const struct kinst_words *words;
	struct kinst_text *out, *err;   /* catch its output; NULL: leave it where it goes */
	int                in;          /* a file that is its standard input, read from the start; -1: ours */
	int                in_english;  /* 1: kinst reads what it says, whatever language the user wants */
};

/* Catch signals from now on.  Commands are printed to `print_fd` before they run; -1: they are not. */
void kinst_process_init(int print_fd);

/* Run to the end.  0 to 255: the exit status, 128 + n: ended by signal n, -errno: it could not be run. */
int kinst_process_run(const struct kinst_run *run);

/* Become the command; returns -errno when it cannot be run.  `in` as above. */
int kinst_process_exec(const struct kinst_words *words, int in);

/* The command as a shell would take it, one line. */
void kinst_process_print(const struct kinst_words *words, int fd);

#endif
