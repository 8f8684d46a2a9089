/*
 * Team: one execution of a parallel region, from fork to join.
 *
 * The forking thread creates the team and reads the slots at the join; each member writes its own slot.  A member finds
 * its team by the token that the fork returned, which kinst passes to ompp_parallel_begin.  Teams are reused; the
 * generation in the token identifies an old one.  The memory belongs to the forking thread.
 */
#ifndef OMPP_EVENTS_TEAM_H
#define OMPP_EVENTS_TEAM_H

#include <stdint.h>

#include "runtime/core/region.h"
#include "runtime/core/team_data.h"
#include "runtime/core/thread.h"

/* Opens the FORK frame.  Returns the token for the members; 0 when nothing is measured. */
uint64_t ompp_team_fork(const struct ompp_region_def *def, int n_threads, struct ompp_caller caller);

/* Returns the calling thread's rank as omp_get_thread_num() tells it; OMPP_RANK_UNKNOWN where there is none.  Where the
 * program has several OpenMP libraries, it is that of the first one. */
#define OMPP_RANK_UNKNOWN UINT32_MAX
uint32_t ompp_team_rank(void);

/* Begins a member's part.  With token 0 the fork is not measured, nor is this part; with OMPP_TEAM_UNKNOWN the team is
 * found by its region.
 * rank: in the team; where it is not known, or cannot be, ranks are given as members come */
#define OMPP_TEAM_UNKNOWN UINT64_MAX
void ompp_team_begin(const struct ompp_region_def *def, uint64_t token, uint32_t rank, struct ompp_caller caller);
void ompp_team_end(const struct ompp_region_def *def);
void ompp_team_join(const struct ompp_region_def *def, uint64_t token);

/* Returns the region of an open team; only of a token that is not 0. */
const struct ompp_region_def *ompp_team_region(uint64_t token);

/* Ends this thread's part of the innermost team, whichever it is, and whenever the thread learns of it: it ended with
 * the team at the latest. */
void ompp_team_leave(void);

/* Returns how many teams there are, for the report. */
uint32_t ompp_n_teams(void);
const struct ompp_team *ompp_open_team(uint32_t i);

/* Returns the same as ompp_team_until() for another thread's TEAM frame, for the report; `now` when there was never
 * such a team. */
uint64_t ompp_team_token_until(uint64_t token, uint64_t now);

#endif
