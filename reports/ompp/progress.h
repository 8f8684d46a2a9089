/*
 * Progress: a line on the terminal while a program runs: its running time, and the region in which its threads spend
 * most time.
 */
#ifndef OMPP_PROGRESS_H
#define OMPP_PROGRESS_H

#include <sys/types.h>

/* Shows the line on standard error, where that is a terminal, until the process, a child not yet waited for, has ended;
 * then the line is erased. */
void ompp_progress(pid_t pid);

#endif
