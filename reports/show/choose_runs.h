/*
 * Choose runs: which of many saved profiles are runs that can be compared with the newest one.
 */
#ifndef OMPP_CHOOSE_RUNS_H
#define OMPP_CHOOSE_RUNS_H

#include <stddef.h>

#include "reports/profile/profile.h"
#include "runtime/base/arena.h"

/* Keeps the profiles that can be compared with the newest one, each once, and adds up the MPI ranks of each run.  What
 * is left out is counted on stderr, in the name of a command, and in n_left_out, in files.  Profiles and paths may
 * stand in any order; then profiles are those of the runs, and n is their number.  Returns 0 or -ENOMEM. */
int ompp_choose_runs(const char *command, char **paths, struct ompp_profile *profiles, size_t *n, size_t *n_left_out,
                     struct ompp_arena *arena);

#endif
