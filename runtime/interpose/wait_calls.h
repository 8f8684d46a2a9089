/*
 * Wait calls: where threads of files that kinst did not build wait for each other: mutexes, read-write locks, condition
 * variables, barriers, semaphores and futures, by the calls of the C and the C++ library.
 *
 * Each call site is a region.  Its visits are the calls, and its time is how long they waited.  A call that finds the
 * lock free is counted without reading the clock.  Tests (trylock) and releases do not wait, and are not counted.
 */
#ifndef OMPP_INTERPOSE_WAIT_CALLS_H
#define OMPP_INTERPOSE_WAIT_CALLS_H

/* Has these calls redirected (host/redirect.h). */
void ompp_wait_calls_start(void);

/* Is called before the first thread is measured: what counting costs is known in the last report from then on.  COLD.
 */
void ompp_wait_calls_begin(void);

#endif
