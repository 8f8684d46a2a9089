/*
 * Thread start: assigns a slot to each thread that calls the runtime, and frees it when the thread ends.
 */
#ifndef OMPP_EVENTS_THREAD_START_H
#define OMPP_EVENTS_THREAD_START_H

#include "runtime/core/thread.h"

/* Returns the thread's slot, and starts the thread if necessary; NULL while it is being started, or when there is no
 * slot or memory.  COLD.
 * host: 1 for a thread of the program; 0 for a member of a team, whose host is that of the forking thread */
struct ompp_thread *ompp_thread_start(int host);

/* Makes the current thread a host, with a number and a root node for its nodes. */
void ompp_thread_become_host(struct ompp_thread *t);

/* Discards in a forked child what the parent measured; only the calling thread remains. */
void ompp_threads_after_fork(void);

#endif
