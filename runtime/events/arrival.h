/*
 * Arrival: when the members of a team arrive at its barriers, and why early ones have to wait.
 *
 * A stretch is what a member does from the begin of the team, or from the end of a barrier, up to the next barrier.  At
 * the end of each stretch, the member writes four things into its slot of the team: when it began the stretch, when it
 * entered the construct that the barrier ends, when it arrived, and how long it had no processor meanwhile.  A member
 * that has waited finds the member that arrived last, and charges its own wait to the causes of that member's delay.
 * Causes can only be distinguished here, as sums over many executions no longer show who was late when.
 *
 * Reading the thread's CPU time costs two system calls, and reading the slots costs a cache miss for each member.  So a
 * thread does each of them only once per interval, which is OMPP_READINGS_IN_INTERVAL times the cost of a reading, and
 * longer in larger teams: this takes at most about half a per cent of its time.  Waits longer than the interval are
 * always examined.
 */
#ifndef OMPP_EVENTS_ARRIVAL_H
#define OMPP_EVENTS_ARRIVAL_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/statistics/waits.h"
#include "runtime/terms/wait.h"

struct ompp_cpu_reading;
struct ompp_team;
struct ompp_team_slot;
struct ompp_thread;
struct ompp_caller;

/* The ticks between two readings of a thread; UINT64_MAX when no readings are made.  Written at the start of the
 * session. */
extern uint64_t ompp_arrival_interval __attribute__((visibility("hidden")));

/* The cost of an event or a reading is known as an interval and a typical value. */
enum ompp_cost_bound { OMPP_COST_TYPICAL, OMPP_COST_LEAST, OMPP_COST_MOST, OMPP_N_COST_BOUNDS };

/* The ticks that a reading takes, by enum ompp_cost_bound; 0 with the fake clock.  Written at the start of the
 * session. */
extern uint64_t ompp_arrival_reading_ticks[OMPP_N_COST_BOUNDS];

/* The function that reads the CPU time: ompp_cpu_read(), or one of a test. */
extern int (*ompp_arrival_read)(struct ompp_cpu_reading *reading);

enum { OMPP_READINGS_IN_INTERVAL = 400 };

/* Sets the bounds of what a reading costs, and the interval, by n readings.
 * ticks: [n], in ascending order */
void ompp_arrival_set_costs(const uint64_t *ticks, size_t n);

/* Measures what a reading costs, and sets the interval; does nothing with the fake clock.  COLD. */
void ompp_arrival_calibrate(void);

/* Records that a member begins its part of the team: its first stretch begins now. */
void ompp_arrival_begin(struct ompp_thread *t, const struct ompp_team *team, struct ompp_team_slot *slot, uint64_t now);

/* Do the same as ompp_visit_enter() and ompp_visit_exit() for a barrier, and record the arrival.  HOT. */
void ompp_barrier_enter(uint64_t key, struct ompp_caller caller);
void ompp_barrier_exit(uint64_t key);

/* Do the same for the last barrier of a team where members that did not fork learn late, or never, that they may leave
 * it: their waits end with the team at the latest.  Why such a member waited is not known. */
void ompp_barrier_enter_last(uint64_t key, struct ompp_caller caller);
void ompp_barrier_exit_last(uint64_t key);

/* Read the CPU time where a task begins, and where one ends that took longer than the interval, so that its duration
 * is without the time for which the thread had no processor.
 * is_inside: 1 when the task began in another one
 * The second returns the ticks of that, at most own_ticks, which is what the task itself took.  COLD. */
void ompp_arrival_begin_task(struct ompp_thread *t, int is_inside, uint64_t now);
uint64_t ompp_arrival_end_task(struct ompp_thread *t, uint64_t own_ticks, uint64_t now);

/* Splits a wait into its causes.
 * mine, last: the arrivals of the member that waited and of the one that came last
 * is_made: 1 when threads were made for this team and this is its first stretch
 * wait_ticks: how long the member waited, off_ticks of them without a processor
 * causes: set to the ticks of each cause */
void ompp_arrival_explain(const struct ompp_arrival *mine, const struct ompp_arrival *last, int is_made,
                          uint64_t wait_ticks, uint64_t off_ticks, uint64_t causes[OMPP_N_CAUSES]);

#endif
