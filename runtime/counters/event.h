/*
 * Event: opens, identifies and reads a perf_event of the kernel, which a thread opens for itself; and explains errors.
 *
 * Programs close file descriptors that they did not open, and get the same numbers again: before each use, check that
 * the descriptor is still the event.  These functions change errno.
 */
#ifndef OMPP_COUNTERS_EVENT_H
#define OMPP_COUNTERS_EVENT_H

#include <stdint.h>

struct ompp_event_code;
struct ompp_text;
struct perf_event_attr;

enum { OMPP_EVENT_GROUP = 16 }; /* the maximum number of events in a group */

/* A reading of a group: the time for which it was enabled, the time for which it counted, and the counts in the order
 * in which its events were opened. */
struct ompp_event_reading {
	uint64_t enabled_ns, running_ns, counts[OMPP_EVENT_GROUP];
};

/* 1 where the events of this process are those of another program: none is opened then.  Written before the first. */
extern int ompp_event_is_none;

/* Opens an event of the calling thread.  Returns the descriptor, or -errno.  The descriptor is closed at exec, and its
 * number is moved away from those that programs expect.
 * attr: describes the event; its members size, read_format and disabled are set here
 * group: the leader of the event's group; with −1 the event leads a new one, which waits for ompp_event_enable() */
int ompp_event_open(struct perf_event_attr *attr, int group);

/* Does the same for an event of a counter, in user mode only, if that makes sense. */
int ompp_event_open_code(const struct ompp_event_code *code, int group);

/* Does the same for an event of the whole machine, counted in all modes by a CPU of the PMU's cpumask. */
int ompp_event_open_on_cpu(const struct ompp_event_code *code, int cpu);

/* Closes the descriptor when it is still the event with this number. */
void ompp_event_close(int fd, uint64_t id);

/* Moves a descriptor away from the numbers that programs expect.  Returns the new number, or the old one when no other
 * is free; a negative number is returned unchanged. */
int ompp_event_move(int fd);

/* Starts the group of this leader.  Returns 0 or -errno. */
int ompp_event_enable(int fd);

/* Returns the kernel's id of the event, which is unique while the system runs; 0 when the descriptor is not an
 * event. */
uint64_t ompp_event_id(int fd);

/* Finds the id of an event that was just opened, without which it could not be closed later.  Returns fd, or a negative
 * fd as it is; else it closes the event, and returns -ENOTTY. */
int ompp_event_identify(int fd, uint64_t *id);

/* Reads the counts of the leader's group of n events, in the order in which these were opened.  Returns 0, -EBUSY when
 * they did not count all the time, or another -errno. */
int ompp_event_read(int fd, uint32_t n, uint64_t *counts);

/* Reads a group of n events with one system call, which is not a cancellation point.  Returns 0, -EIO when the
 * descriptor is no longer that group, or another -errno.  HOT.
 * id: the kernel's id of the leader; 0 for any leader */
int ompp_event_read_group(int fd, uint64_t id, uint32_t n, struct ompp_event_reading *reading);

/* Explains an errno of these functions for breakpoints: "cause; what to do". */
void ompp_event_explain(struct ompp_text *why, int error);

/* Does the same for counting, with the value of a setting and the required one.
 * counts_kernel: 1 when the event counts outside of user mode, 2 when it counts what all of the machine does
 * n_events: how many events a thread opens */
void ompp_event_explain_counting(struct ompp_text *why, int error, int counts_kernel, uint32_t n_events);

#endif
