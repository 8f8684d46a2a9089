/*
 * Helper thread: a thread of ours in the program, created without the C library.
 *
 * It shares the thread-local storage of the thread that starts it, so it must not use any, nor errno.  It blocks all
 * signals.  It ends with the process, which does not wait for it.
 */
#ifndef OMPP_CORE_HELPER_THREAD_H
#define OMPP_CORE_HELPER_THREAD_H

/* Starts a thread that runs a function which never returns.  Returns 0, -ENOSYS where that cannot be done, or another
 * -errno. */
int ompp_helper_thread(void (*run)(void));

/* Tells such a thread that waits for nothing else whether it has to end. */
int ompp_helper_thread_is_over(void);

/* Has all of them end, and waits for that: before a filter of system calls, which might end the program by one of
 * theirs.  Those that have orders of their own are to have got the one to end.  None can be started any more. */
void ompp_helper_threads_end(void);
void ompp_helper_threads_after_fork(void);

#endif
