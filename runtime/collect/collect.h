/*
 * Collect: from the threads' call trees to the profile.  The only bridge between measuring and showing.
 *
 * May run while other threads measure (an incremental report, a signal): what they change meanwhile is read with
 * relaxed atomics, and a sum may miss the last event.  Uses the arena alone.
 */
#ifndef OMPP_COLLECT_COLLECT_H
#define OMPP_COLLECT_COLLECT_H

#include "reports/profile/profile.h"

/* final 1: the run is over; signal: what ended it, or 0.  0 or -ENOMEM. */
int ompp_collect(struct ompp_profile *profile, struct ompp_arena *arena, int final, int signal);

/* The conditions of the run (conditions.c): command line, host, processor, compiler, OMP_* variables, binding. */
int ompp_collect_conditions(struct ompp_profile *profile, struct ompp_arena *arena);

/* What is not measured of the program (unmeasured.c), as one more condition and notes. */
int ompp_collect_unmeasured(struct ompp_profile *profile, struct ompp_arena *arena);

/* Rank and size among MPI processes from the launchers' variables; -1 and 0 where there is none. */
int ompp_mpi_rank(void);
int ompp_mpi_size(void);

#endif
