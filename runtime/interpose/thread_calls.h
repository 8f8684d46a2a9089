/*
 * Thread calls: the threads that files which kinst did not build create by pthread_create(), std::thread and
 * thrd_create(), and the calls that wait for their end.
 *
 * A thread is a visit of the function that it runs, from its begin to its end.
 */
#ifndef OMPP_INTERPOSE_THREAD_CALLS_H
#define OMPP_INTERPOSE_THREAD_CALLS_H

/* Has these calls redirected (host/redirect.h), and those in which threads wait for each other. */
void ompp_thread_calls_start(void);

/* Reads where the functions of C++'s headers are, when the C++ library is loaded.  Called after ompp_redirect_all(). */
void ompp_thread_calls_look(void);

#endif
