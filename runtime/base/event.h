/*
 * Event: a perf_event of the kernel, opened by a thread for itself: open, identify, read; and what errors mean.
 *
 * Programs close file descriptors that they did not open, and get the same numbers again: before each use, ask whether
 * the descriptor is still the event.  These functions change errno.
 */
#ifndef OMPP_SOURCES_EVENT_H
#define OMPP_SOURCES_EVENT_H

#include <stdint.h>

struct ompp_event_code;
struct ompp_text;
struct perf_event_attr;

enum { OMPP_EVENT_GROUP = 16 };         /* events of a group at most */

/* A group's reading: times in ns that it was to count, and did; counts in the order in which
 * its events were opened. */
struct ompp_event_reading { uint64_t enabled_ns, running_ns, counts[OMPP_EVENT_GROUP]; };

/* Open an event of the calling thread, in the group that another leads; group −1: it leads one, and the group waits for
 * ompp_event_enable().  Sets size, read_format and disabled of attr.  The descriptor, closed by exec, with a number away
 * from those that programs expect; or -errno. */
int ompp_event_open(struct perf_event_attr *attr, int group);

/* The same for what a name of the counters' list means: user mode alone where that means something.  0 … or -errno. */
int ompp_event_open_code(const struct ompp_event_code *code, int group);

/* The same of what the whole machine does, counted in all modes, where a CPU of the PMU's cpumask sees it. */
int ompp_event_open_on_cpu(const struct ompp_event_code *code, int cpu);

/* Close what is still the event with this number. */
void ompp_event_close(int fd, uint64_t id);

/* Let a group count; its leader's descriptor.  0 or -errno. */
int ompp_event_enable(int fd);

/* The kernel's number of the event, unique while the system runs; 0: the descriptor is no event. */
uint64_t ompp_event_id(int fd);

/* The counts of a group of n events, in the order in which they were opened; its leader's descriptor.  0 or -errno;
 * -EBUSY: they did not count all the time. */
int ompp_event_read(int fd, uint32_t n, uint64_t *counts);

/* HOT: the reading of a group of n events, whose leader has this id, 0: any; one system call, no cancellation point.  0 or
 * -errno; -EIO: the descriptor is not that group any more, maybe another. */
int ompp_event_read_group(int fd, uint64_t id, uint32_t n, struct ompp_event_reading *reading);

/* What an errno of these functions means for breakpoints, and what to do: "cause; what to do". */
void ompp_event_explain(struct ompp_text *why, int error);

/* The same for counting: the value found and the value needed.  counts_kernel: 1 the event counts outside of user
 * mode, 2 it counts what all of the machine does;
 * n_events: that a thread opens. */
void ompp_event_explain_counting(struct ompp_text *why, int error, int counts_kernel, uint32_t n_events);

#endif
