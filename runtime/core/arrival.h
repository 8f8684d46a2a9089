/*
 * Arrival: how the members of a team come to its barriers, and why those that come early have to wait.
 *
 * What a member does from the begin of the team, or from the end of a barrier, up to the next barrier is a stretch.  At
 * the end of each, the member writes into its slot of the team when it began the stretch, when it entered the construct
 * that the barrier ends, when it arrived, and how long it had no processor meanwhile.  A member that has waited looks
 * for the one that came last, and charges its own wait to what made that one later than itself: the only place where
 * the causes of waiting can be told apart, as sums over many executions have lost who was late when.
 *
 * Reading the thread's CPU time costs two system calls, and looking at the slots costs a cache miss for each member.
 * So a thread does either once in an interval, which is READINGS_IN_INTERVAL times what a reading costs, and longer in
 * larger teams: at most about half a per cent of its time.  A wait longer than the interval is always looked at.
 */
#ifndef OMPP_CORE_ARRIVAL_H
#define OMPP_CORE_ARRIVAL_H

#include <stdint.h>

#include "runtime/base/wait.h"

struct ompp_cpu_reading;
struct ompp_team;
struct ompp_team_slot;
struct ompp_thread;
struct ompp_where;

/* One arrival; by the member, read by the others after the barrier. */
struct ompp_arrival {
	uint64_t begin_ticks;           /* of the stretch */
	uint64_t enter_ticks;           /* of the construct; the stretch's begin where that was later, and of an explicit
	                                   barrier, whose construct is the whole stretch */
	uint64_t arrive_ticks;
	uint64_t off_ticks;             /* of the stretch: without a processor, which was taken away */
	uint64_t asleep_ticks;          /* of the stretch: without one, where the thread went to sleep at least once */
};

/* At a node whose visits are barriers; by the owner, in ticks. */
struct ompp_waits {
	uint64_t n;                     /* arrivals */
	uint64_t work_ticks;            /* in the construct up to them, less what was taken away */
	uint64_t squares[2];            /* sum of the squares of these, low and high word */
	uint64_t least_ticks, most_ticks;       /* of these */
	uint64_t off_ticks, asleep_ticks;
	uint64_t n_looked, looked_ticks;        /* waits whose causes were looked for */
	uint64_t causes[OMPP_N_CAUSES];         /* of looked_ticks */
};

/* A thread's CPU time as it was read last; by the thread alone. */
struct ompp_cpu_state {
	uint64_t read_ticks, looked_ticks;      /* when: of the last reading, of the last look */
	uint64_t off_ticks, asleep_ticks;       /* up to the last reading, in all */
	int64_t  monotonic_ns, cpu_ns;
	uint64_t n_voluntary;
	uint32_t n_switches;                    /* of measuring between on and off */
	int      is_read;                       /* 0: never so far */
};

/* Ticks between two readings of a thread; UINT64_MAX: none are made.  Written at the start of the session. */
extern uint64_t ompp_arrival_interval;

/* What a reading takes, in ticks, by enum ompp_cost_bound; 0 with the fake clock.  Written at the start of the session. */
extern uint64_t ompp_arrival_reading_ticks[];

/* Where the CPU time is read: ompp_cpu_read(), or a test's. */
extern int (*ompp_arrival_read)(struct ompp_cpu_reading *reading);

enum { OMPP_READINGS_IN_INTERVAL = 400 };

/* Measure what a reading costs, and set the interval; not with the fake clock.  COLD. */
void ompp_arrival_calibrate(void);

/* A member begins its part of the team. */
void ompp_arrival_begin(struct ompp_thread *t, const struct ompp_team *team, struct ompp_team_slot *slot, uint64_t now);

/* HOT.  As ompp_visit_enter() and ompp_visit_exit(), of a barrier. */
void ompp_barrier_enter(uint64_t key, struct ompp_where where);
void ompp_barrier_exit(uint64_t key);

/* Why one that waited for `wait_ticks`, off_ticks of them without a processor, had to: the parts of that, by cause.
 * is_made: threads were made for this team, and this is its first stretch. */
void ompp_arrival_explain(const struct ompp_arrival *mine, const struct ompp_arrival *last, int is_made,
                          uint64_t wait_ticks, uint64_t off_ticks, uint64_t causes[OMPP_N_CAUSES]);

#endif
