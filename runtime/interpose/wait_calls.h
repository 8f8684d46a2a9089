/*
 * Wait calls: where threads of files that kinst did not build wait for each other: mutexes, read-write locks, condition
 * variables, barriers, semaphores and futures, by the calls of the C and the C++ library.
 *
 * Each place of a call is a region.  Its visits are the calls, and its time is what they waited.  A lock that is free
 * is counted, and no clock is read.  Tests (trylock) and releases do not wait, and are no visits.
 */
#ifndef OMPP_INTERPOSE_WAIT_CALLS_H
#define OMPP_INTERPOSE_WAIT_CALLS_H

/* Has these calls redirected (host/redirect.h). */
void ompp_wait_calls_start(void);

/* Is called before the first thread is measured: what counting costs is known in the last report from then on.  COLD.
 */
void ompp_wait_calls_begin(void);

#endif
