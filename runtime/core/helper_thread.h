/*
 * Helper thread: a thread of ours in the program, created without the C library.
 *
 * It shares the thread-local storage of the thread that starts it, so it must not use any, nor errno.  It blocks all
 * signals.  It ends with the process, which does not wait for it.
 *
 * A process ends when its last thread does, and ours would keep one whose own threads end by exit(2), the system call.
 * So each of ours looks whether the main thread is over (helper_thread_wait).  From then on one more, the watch, looks
 * whether any thread but ours is left, and ends the process if there is none, with the main thread's status.  Before
 * that, one of ours that is a thread of the C library's ends, and with it the process if that was its last one.
 */
#ifndef OMPP_CORE_HELPER_THREAD_H
#define OMPP_CORE_HELPER_THREAD_H

#include <stdint.h>

#include "runtime/data/emulation.h"

/* Starts a thread that runs a function which never returns.  Returns 0, -ENOSYS where that cannot be done, or another
 * -errno. */
int ompp_helper_thread(void (*run)(void));

/* Tells such a thread that waits for nothing else whether it has to end. */
int ompp_helper_thread_is_over(void);

/* Ends the calling one. */
__attribute__((noreturn)) void ompp_helper_thread_exit(void);

/* Waits while the word has this value, at most ns, and not for long: for one of ours, which looks at the main thread
 * then. */
void ompp_helper_thread_wait(uint32_t *word, uint32_t value, int64_t ns);

/* Has them look at what the plug-in of the emulator counts, in which the kernel tells nothing of the program's threads.
 * Called once, before the first is started. */
void ompp_helper_threads_emulated(const struct ompp_emulated_threads *threads);

/* Looks at the main thread. */
void ompp_helper_thread_look(void);

/* Begin and end the part of a thread of the C library's that is one of ours, too; there is one at most.
 * end: tells it to leave, and to end, as no other thread is left; called once or more */
void ompp_helper_thread_enter(void (*end)(void));
void ompp_helper_thread_leave(void);

/* Has all of them end, and waits for that: before a filter of system calls, which might end the program by one of
 * theirs.  Those that have orders of their own are to have got the one to end.  None can be started any more. */
void ompp_helper_threads_end(void);
void ompp_helper_threads_after_fork(void);

#endif
