/*
 * Collect: makes the profile from the threads' call trees.  It is the only bridge between measuring and showing.
 *
 * It may run while other threads measure, for an incremental report or in a signal handler.  Their data are read with
 * relaxed atomics, so a sum may miss the last event.  All memory comes from the arena.
 */
#ifndef OMPP_COLLECT_COLLECT_H
#define OMPP_COLLECT_COLLECT_H

#include "reports/profile/profile.h"

/* Fills in the profile.  Returns 0 or -ENOMEM.
 * final: 1 when the run is over
 * signal: the signal that ended it, or 0 */
int ompp_collect(struct ompp_profile *profile, struct ompp_arena *arena, int final, int signal);

/* Adds the conditions of the run (conditions.c): command line, host, processor, compiler, OMP_* variables, binding.
 * Returns 0 or -ENOMEM. */
int ompp_collect_conditions(struct ompp_profile *profile, struct ompp_arena *arena);

/* Adds the unmeasured constructs of the program (unmeasured.c) as one more condition and as notes.  Returns 0 or
 * -ENOMEM. */
int ompp_collect_unmeasured(struct ompp_profile *profile, struct ompp_arena *arena);

/* Fills in what the compiler said of loops.  Returns 0 or -ENOMEM. */
int ompp_collect_loops(struct ompp_profile *profile, struct ompp_arena *arena);

/* Return the rank and the number of MPI processes by the variables of launchers (terms/launcher.h); -1 and 0 without
 * them. */
int ompp_mpi_rank(void);
int ompp_mpi_size(void);

/* Returns the environment of the process. */
char *const *ompp_conditions_environment(void);

#endif
