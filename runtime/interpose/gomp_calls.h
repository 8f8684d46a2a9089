/*
 * GOMP calls: the constructs of files that kinst did not build, by the calls that GCC has them make to its OpenMP
 * library, whose functions do the work as before (OMPP_INTERPOSE).
 *
 * What makes no call cannot be seen: loops with a static schedule, masked and master, atomics and flushes of the
 * processor.  The barrier at the end of such a loop is a call, and a BARRIER of its own.  Of a single without
 * copyprivate it is seen who executes it, but not the end of its body: its code is as that behind it.  The wait
 * of ordered depend(sink) is not measured.
 */
#ifndef OMPP_INTERPOSE_GOMP_CALLS_H
#define OMPP_INTERPOSE_GOMP_CALLS_H

/* Has the calls redirected (host/redirect.h); those of files that kinst built keep their way. */
void ompp_gomp_start(void);

/* The same for the calls of teams (gomp_teams.c) and tasks (gomp_tasks.c). */
void ompp_gomp_start_teams(void);
void ompp_gomp_start_tasks(void);

#endif
