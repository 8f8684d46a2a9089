/*
 * Counter set: one thread's events, opened as the plan says, and their reading.
 *
 * Used by its thread alone.  A group that could not be opened, or that the program has closed, is lost: each further
 * reading says so in the share's third value, so that what lies between is missing, never wrong.
 */
#ifndef OMPP_SOURCES_COUNTER_SET_H
#define OMPP_SOURCES_COUNTER_SET_H

#include <stdint.h>

#include "runtime/sources/counter_plan.h"

struct ompp_text;
struct perf_event_mmap_page;

struct ompp_counter_group_events {
	uint32_t n;                             /* open events; 0: not open, or lost */
	int      paged;                         /* 1: all have a page from which the processor reads */
	int      fd[OMPP_EVENT_GROUP];
	uint64_t id[OMPP_EVENT_GROUP];          /* of the kernel's events: the program may have closed or reused fd */
	struct perf_event_mmap_page *page[OMPP_EVENT_GROUP];
	uint64_t n_lost;                        /* readings that failed */
};

/* Zeroed: nothing is open. */
struct ompp_counter_set {
	struct ompp_counter_group_events group[OMPP_PLAN_GROUPS];
};

/* Values of one reading: the plan's counters, then three for each share. */
uint32_t ompp_counter_set_n_values(const struct ompp_plan *plan);

/* Open the calling thread's events and let them count.  0; or -errno of the first group that cannot be opened, the
 * others count.  errno is kept. */
int ompp_counter_set_open(struct ompp_counter_set *set, const struct ompp_plan *plan);

/* Close what is open.  In a forked child too: the parent's events are not ours. */
void ompp_counter_set_close(struct ompp_counter_set *set, int forked);

/* HOT: one system call for each group, or none where the processor reads.  0; or -errno of a group that was lost by this
 * reading.  errno is kept. */
int ompp_counter_set_read(struct ompp_counter_set *set, const struct ompp_plan *plan, uint64_t *values);

#endif
