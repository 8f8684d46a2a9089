/*
 * GOMP calls: the constructs of files that kinst did not build, by the calls that GCC has put into them to its OpenMP
 * library.  The library's functions do the work as before (OMPP_INTERPOSE).
 *
 * Constructs without a call cannot be seen: loops with a static schedule, masked, master, and the atomics and flushes
 * that are plain instructions.  The barrier at the end of such a loop is a call, and is shown as a BARRIER.  For a
 * single without copyprivate the call shows which thread executes it, but not where its body ends.
 */
#ifndef OMPP_INTERPOSE_GOMP_CALLS_H
#define OMPP_INTERPOSE_GOMP_CALLS_H

/* Has the calls redirected (host/redirect.h); those of files that kinst built keep their way. */
void ompp_gomp_start(void);

/* The same for the calls of teams (gomp_teams.c), tasks (gomp_tasks.c) and doacross loops (doacross_calls.c). */
void ompp_gomp_start_teams(void);
void ompp_gomp_start_tasks(void);
void ompp_gomp_start_doacross(void);

#endif
