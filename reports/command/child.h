/*
 * Child: a program that ompp runs, with the same signals, files and exit status as it would have without ompp.
 */
#ifndef OMPP_CHILD_H
#define OMPP_CHILD_H

#include <signal.h>
#include <sys/types.h>

struct ompp_child {
	pid_t pid;
	int go, answer; /* pipes to and from it */
	char **argv;
	struct sigaction interrupt, quit; /* ompp's saved actions for the terminal's signals */
};

/* Forks the process, which waits before exec.  Until it has ended, only the program reacts to the terminal's signals
 * SIGINT and SIGQUIT.  Returns 0, or the exit status after a complaint.
 * prepare: called in the process before exec, or NULL */
int ompp_child_start(struct ompp_child *child, char **argv, void (*prepare)(void));

/* Lets the process exec the program.  Returns 0; if it cannot be run, complains and returns the exit status, and the
 * process has ended.
 * advice: what the user can do then */
int ompp_child_go(struct ompp_child *child, const char *advice);

/* Waits until the program has ended.  Returns its wait status. */
int ompp_child_wait(struct ompp_child *child);

/* Ends like the program: returns its exit status, or raises the signal that ended it. */
int ompp_child_end_like(int wait_status);

#endif
