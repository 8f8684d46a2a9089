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

#endif
