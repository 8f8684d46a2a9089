/*
 * Team data: what the forking thread and the members write about a team, and how a team ends.
 *
 * The forking thread makes the team (team.h) and reads the slots at the join; each member writes its own slot.  Teams
 * are reused; the generation in the token tells an old one.  The memory belongs to the forking thread.
 */
#ifndef OMPP_CORE_TEAM_DATA_H
#define OMPP_CORE_TEAM_DATA_H

#include <stdint.h>

#include "runtime/core/region.h"
#include "runtime/core/thread.h"
#include "runtime/core/waits.h"

/* A member's slot of the team.  It fills whole cache lines, so each line has one writer. */
struct ompp_team_slot {
	_Atomic uint64_t begin_ticks, end_ticks; /* 0 before it began or ended */
	_Atomic uint32_t n_arrived;              /* at barriers */
	uint32_t is_new;                         /* 1 when the thread was made for this team */
	/* the begin of the present stretch, and the thread's sums then; used by the member alone */
	uint64_t stretch_ticks, off_before, asleep_before;
	struct ompp_arrival arrivals[2]; /* by their number: the last one, and the one before */
} __attribute__((aligned(128)));

struct ompp_team {
	_Atomic uint64_t token; /* 0 while the team is free */
	/* the token of the team before, and when it was over: written by the forker, read by members that cancellation
	 * lets go without an event, and by a report */
	_Atomic uint64_t over_token, over_ticks;
	/* written at a fork, while a report may read what was there before */
	const struct ompp_region_def *def;
	struct ompp_callnode *fork_node;
	struct ompp_thread *forker;
	uint64_t fork_ticks;
	_Atomic uint64_t path; /* the forking thread's path; see team.c */
	_Atomic uint32_t n_arrived;
	uint32_t index, n_slots, generation;
	uint32_t n_threads;                 /* that were asked for, at least 1 */
	struct ompp_team *next;             /* in the list of the forker's free teams */
	struct ompp_uncore_reading *uncore; /* the readings at the fork, and behind them room for those at the join;
	                                       NULL when there are none */
	int reads_uncore;
	uint32_t n_switches; /* ompp_session.n_switches at the fork, where uncore is read */
	struct ompp_team_slot slots[];
};

/* Notes in the member's slot that its part of the team, with this frame, ends; the forker finds the time there. */
void ompp_team_left(struct ompp_frame *f, uint64_t now);

/* Frees a team of this thread that is over, so that it can be used again. */
void ompp_team_free(struct ompp_thread *t, struct ompp_team *team, uint64_t now);

/* Returns when the team that had this token was over, if that is known and before `now`; otherwise `now`. */
uint64_t ompp_team_until(const struct ompp_team *team, uint64_t token, uint64_t now);

#endif
