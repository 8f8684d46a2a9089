/*
 * Progress: a line on the terminal while a program runs: how long it does, and the region in which its threads are
 * most of the time.
 */
#ifndef OMPP_PROGRESS_H
#define OMPP_PROGRESS_H

#include <sys/types.h>

/* Shows the line on standard error, where that is a terminal, until the process, a child that is not waited for yet,
 * has ended; then the line is gone. */
void ompp_progress(pid_t pid);

#endif
