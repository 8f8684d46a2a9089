/*
 * Child: a program that ompp runs, which behaves as without ompp: with the signals, files and exit status that it would
 * have.
 */
#ifndef OMPP_CHILD_H
#define OMPP_CHILD_H

#include <signal.h>
#include <sys/types.h>

struct ompp_child {
	pid_t pid;
	int go, answer; /* pipes to and from it */
	char **argv;
	struct sigaction interrupt, quit; /* what ompp does at the terminal's signals otherwise */
};

/* Makes the process, which waits before it becomes the program; until it has ended, the terminal's signals SIGINT and
 * SIGQUIT are the program's alone.  Returns 0, or the exit status after a complaint.
 * prepare: what the process does before that, or NULL */
int ompp_child_start(struct ompp_child *child, char **argv, void (*prepare)(void));

/* Lets the process become the program.  Returns 0, or the exit status after a complaint when it cannot be run; then the
 * process has ended.
 * advice: what to do then */
int ompp_child_go(struct ompp_child *child, const char *advice);

/* Waits until the program has ended.  Returns its wait status. */
int ompp_child_wait(struct ompp_child *child);

/* Ends as the program ended: returns its exit status, or raises its signal. */
int ompp_child_end_like(int wait_status);

#endif
