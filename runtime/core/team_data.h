/*
 * Team data: what the forking thread and the members write about a team, and how a team ends.
 *
 * The forking thread creates the team (team.h) and reads the slots at the join; each member writes its own slot.  Teams
 * are reused; the generation in the token identifies an old one.  The memory belongs to the forking thread.
 */
#ifndef OMPP_CORE_TEAM_DATA_H
#define OMPP_CORE_TEAM_DATA_H

#include <stdint.h>

#include "runtime/core/region.h"
#include "runtime/core/thread.h"
#include "runtime/statistics/waits.h"

/* How a thread came to the begin of a stretch, from its last reading of the CPU time on. */
enum ompp_came {
	OMPP_CAME_SOMEHOW, /* it slept, or it is not known */
	OMPP_CAME_AWAKE,   /* it neither slept nor lost its processor to another thread */
	OMPP_CAME_OFF      /* it lost its processor to another one, and did not sleep */
};

/* A member's slot of the team.  It fills whole cache lines, so that each line has one writer. */
struct ompp_team_slot {
	_Atomic uint64_t begin_ticks, end_ticks; /* 0 before its begin or end */
	_Atomic uint32_t n_arrived;              /* arrivals at barriers */
	uint16_t is_new;                         /* 1 when the thread was created for this team */
	uint8_t came[2]; /* by number of the arrival modulo 2: enum ompp_came of the stretch before it */
	/* the begin of the current stretch, and the thread's sums at that time; used only by the member */
	uint64_t stretch_ticks, off_before, asleep_before;
	struct ompp_arrival arrivals[2]; /* the last two, by number modulo 2 */
} __attribute__((aligned(128)));

struct ompp_team {
	_Atomic uint64_t token; /* 0 while the team is free */
	/* the token of the previous team, and when it was over: written by the forker; read by members that leave
	 * through cancellation, without an event, and by reports */
	_Atomic uint64_t over_token, over_ticks;
	/* written at a fork, while a report may read the previous value */
	const struct ompp_region_def *def;
	struct ompp_callnode *fork_node;
	struct ompp_thread *forker;
	uint64_t fork_ticks;
	_Atomic uint64_t path; /* the forking thread's path; see team.c */
	_Atomic uint32_t n_arrived;
	uint32_t index, n_slots, generation;
	uint32_t n_threads;                 /* requested number, at least 1 */
	struct ompp_team *next;             /* in the list of the forker's free teams */
	struct ompp_uncore_reading *uncore; /* readings at the fork, then room for those at the join; or NULL */
	struct ompp_span_team *span;        /* its part of the longest path; NULL when none is looked for */
	int reads_uncore;
	uint32_t n_switches; /* ompp_session.n_switches at the fork, where uncore is read */
	struct ompp_team_slot slots[];
};

/* Records in the member's slot the end of its part of the team, with this frame; the forker reads the time there. */
void ompp_team_left(struct ompp_frame *f, uint64_t now);

/* Returns the team's part of the longest path, from a member's frame; NULL when there is none, or the team is over. */
struct ompp_span_team *ompp_team_span(const struct ompp_frame *f);

/* Frees a finished team of this thread for reuse. */
void ompp_team_free(struct ompp_thread *t, struct ompp_team *team, uint64_t now);

/* Returns when the team that had this token was over, if that is known and before `now`; otherwise `now`. */
uint64_t ompp_team_until(const struct ompp_team *team, uint64_t token, uint64_t now);

#endif
