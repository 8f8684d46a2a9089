/*
 * Team: one execution of a parallel region, from fork to join.
 *
 * The forking thread makes the team and reads the slots at the join; each member writes its own slot.  A member finds
 * its team by the token that the fork returned: kinst hands it to ompp_parallel_begin.  Teams are reused; the
 * generation in the token tells an old one.  Memory is the forking thread's.
 */
#ifndef OMPP_CORE_TEAM_H
#define OMPP_CORE_TEAM_H

#include <stdint.h>

#include "runtime/core/arrival.h"
#include "runtime/core/thread.h"

/* A member's place; whole cache lines, each with one writer. */
struct ompp_team_slot {
	_Atomic uint64_t    begin_ticks, end_ticks;     /* 0: not yet */
	_Atomic uint32_t    n_arrived;                  /* at barriers */
	uint32_t            is_new;                     /* 1: the thread was made for this team */
	/* of the stretch at hand, by the member alone: its begin, and the thread's sums then */
	uint64_t            stretch_ticks, off_before, asleep_before;
	struct ompp_arrival arrivals[2];                /* by their number: the last one, and the one before */
} __attribute__((aligned(128)));

struct ompp_team {
	_Atomic uint64_t             token;     /* 0 while free */
	/* by the forker: the team before, and when it was over; read by its members, whom cancellation lets go without
	 * an event, and by a report */
	_Atomic uint64_t             over_token, over_ticks;
	/* written at a fork, while a report may read what was there before */
	const struct ompp_region_def *def;
	struct ompp_callnode        *fork_node;
	struct ompp_thread          *forker;
	uint64_t                     fork_ticks;
	_Atomic uint64_t             path;      /* of the forking thread: see team.c */
	_Atomic uint32_t             n_arrived;
	uint32_t                     index, n_slots, generation;
	uint32_t                     n_threads; /* that were asked for, or 1 */
	struct ompp_team            *next;      /* of the forker's free ones */
	struct ompp_uncore_reading  *uncore;    /* at the fork; NULL: not read */
	int                          reads_uncore;
	uint32_t                     n_switches;        /* ompp_session.n_switches at the fork, where uncore is read */
	struct ompp_team_slot        slots[];
};

/* Fork: opens the FORK frame; the token for the members, 0 when nothing is measured. */
uint64_t ompp_team_fork(const struct ompp_region_def *def, int n_threads, struct ompp_where where);

/* A member begins.  Token 0: the fork is not measured, nor is this; OMPP_TEAM_UNKNOWN: found by region. */
#define OMPP_TEAM_UNKNOWN UINT64_MAX
void ompp_team_begin(const struct ompp_region_def *def, uint64_t token, struct ompp_where where);
void ompp_team_end(const struct ompp_region_def *def);
void ompp_team_join(const struct ompp_region_def *def, uint64_t token);

/* For unwinding: a member's frame was left; a fork's team is over. */
void ompp_team_left(struct ompp_thread *t, struct ompp_frame *f, uint64_t now);
void ompp_team_free(struct ompp_thread *t, struct ompp_team *team, uint64_t now);

/* When the team of a TEAM frame was over, if that is known and before `now`; else now. */
uint64_t ompp_team_until(uint64_t token, uint64_t now);

/* For the report: how many teams there are, and team i while it is between fork and join, else NULL. */
uint32_t ompp_n_teams(void);
const struct ompp_team *ompp_open_team(uint32_t i);

#endif
