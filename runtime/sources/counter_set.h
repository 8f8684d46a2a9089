/*
 * Counter set: opens and reads one thread's events according to the plan.
 *
 * A set is used only by its thread.  A group that could not be opened, or that the program has closed, is lost: each
 * further reading counts this in the share's third value, so that the counts between two readings are missing, never
 * wrong.
 */
#ifndef OMPP_SOURCES_COUNTER_SET_H
#define OMPP_SOURCES_COUNTER_SET_H

#include <stdint.h>

#include "runtime/sources/counter_plan.h"

struct ompp_text;
struct perf_event_mmap_page;

struct ompp_counter_group_events {
	uint32_t n; /* open events; 0 when the group is not open, or lost */
	int paged;  /* 1 when all have a page and are read in user space */
	int fd[OMPP_EVENT_GROUP];
	uint64_t id[OMPP_EVENT_GROUP]; /* of the kernel's events: the program may have closed or reused fd */
	struct perf_event_mmap_page *page[OMPP_EVENT_GROUP];
	uint64_t n_lost; /* readings that failed */
};

/* All groups of a thread; all zero: nothing is open. */
struct ompp_counter_set {
	struct ompp_counter_group_events group[OMPP_PLAN_GROUPS];
};

/* Returns the number of values of one reading: the plan's counters, then three for each share. */
uint32_t ompp_counter_set_n_values(const struct ompp_plan *plan);

/* Opens the calling thread's events and starts them.  Returns 0, or -errno of the first group that cannot be opened;
 * the others count.  errno is kept. */
int ompp_counter_set_open(struct ompp_counter_set *set, const struct ompp_plan *plan);

/* Closes all open events; also in a forked child, where they are the parent's.
 * forked: 1 in a forked child */
void ompp_counter_set_close(struct ompp_counter_set *set, int forked);

/* Reads all values, with one system call per group, or none for groups that are read in user space.  Returns 0, or
 * -errno of a group that was lost by this reading.  errno is kept.  HOT. */
int ompp_counter_set_read(struct ompp_counter_set *set, const struct ompp_plan *plan, uint64_t *values);

#endif
