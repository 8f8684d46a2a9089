/*
 * Delegate: a process of ours that has the program's memory and its files, and makes system calls for it when a filter
 * does not let the program make them.
 *
 * It is made before the filter is put in place, so the filter does not bind it.  It is no thread of the program: a
 * filter for all threads leaves it out.  It sends no SIGCHLD, wait() does not see it, and it ends with the program. The
 * program asks it, and waits for it, by words in memory alone.
 */
#ifndef OMPP_SESSION_DELEGATE_H
#define OMPP_SESSION_DELEGATE_H

/* Makes it, if there is none.  Returns 0 or -errno. */
int ompp_delegate_start(void);

/* Has it call run(arg) for the calling thread, whose thread-local storage it uses meanwhile.  Returns 0 when that is
 * done; -1 when there is no delegate, or it has ended.
 * is_last: 1 when it ends after that, and with it its hold on the program's memory and files */
int ompp_delegate_call(void (*run)(void *arg), void *arg, int is_last);

/* Tells whether this is the delegate. */
int ompp_delegate_is_here(void);

#endif
