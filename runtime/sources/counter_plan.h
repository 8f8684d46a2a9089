/*
 * Counter plan: decides which events of the kernel are counted in one group, so that one reading gives them all.
 *
 * The plan is made once, by trial: first each event alone around a loop that must count it, then as many as fit into
 * one group of a PMU.  Software events join the hardware group when there is only one.  When there are several, which
 * are multiplexed, the software events get their own group and stay exact.  Events that we may not count, but whose
 * value the kernel gives a thread in another way (enum ompp_own), are read in that way.  COLD.
 */
#ifndef OMPP_SOURCES_COUNTER_PLAN_H
#define OMPP_SOURCES_COUNTER_PLAN_H

#include <stdint.h>

#include "runtime/counters/counter.h"
#include "runtime/counters/event.h"

enum { OMPP_PLAN_COUNTERS = 40, OMPP_PLAN_GROUPS = 12, OMPP_PLAN_SHARES = 7, OMPP_PLAN_WHY = 208 };

enum { OMPP_PLAN_OWN = 255 }; /* instead of a group: the value is read as an enum ompp_own */

struct ompp_plan_term {
	uint8_t group, at; /* the event's index in the group; with OMPP_PLAN_OWN, the enum ompp_own */
	int32_t factor;
};

struct ompp_plan_counter {
	const struct ompp_counter *counter;
	int error; /* 0 when it is counted; otherwise -errno, the reason */
	uint32_t n_terms;
	struct ompp_plan_term term[OMPP_COUNTER_EVENTS];
	uint32_t value;          /* index in the values of a reading; UINT32_MAX when not counted */
	uint32_t share;          /* index of its share; UINT32_MAX when not counted */
	char why[OMPP_PLAN_WHY]; /* why it is not counted, or not with an event: "cause; what to do" */
};

struct ompp_plan_group {
	uint32_t pmu, n;
	int hardware; /* 1 when it has hardware events */
	int paged;    /* 1 when they are read in user space: all are hardware events, and it is allowed */
	struct ompp_event_code code[OMPP_EVENT_GROUP];
};

struct ompp_plan {
	uint32_t n_counters, n_counted, n_groups, n_shares;
	struct ompp_plan_counter counter[OMPP_PLAN_COUNTERS];
	struct ompp_plan_group group[OMPP_PLAN_GROUPS];
	uint32_t share[OMPP_PLAN_SHARES]; /* a bit for each group that a counter needs; 0 for enum ompp_own values */
	uint32_t own;                     /* a bit for each enum ompp_own that is read */
};

/* The kernel's functions, or those of a test. */
struct ompp_plan_kernel {
	int (*open)(const struct ompp_event_code *code, int group); /* as ompp_event_open_code() */
	void (*close)(int fd);
	/* Lets the group count a loop with loads, stores, branches and new pages.  Returns 0 or -errno. */
	int (*count)(int leader, uint32_t n, struct ompp_event_reading *reading);
};
extern const struct ompp_plan_kernel ompp_plan_kernel;

/* Makes the plan for counters of kind THREAD, which must live as long as the plan.
 * n: how many counters, at most OMPP_PLAN_COUNTERS
 * multiplex: with 1, counters that do not fit into a group get a further one; with 0, they are refused, and the
 * counter's `why` names the conflict */
void ompp_plan_make(struct ompp_plan *plan, const struct ompp_counter *const *counters, uint32_t n, int multiplex,
                    const struct ompp_plan_kernel *kernel);

/* Enables reading in user space for groups without software events; software events need a system call. */
void ompp_plan_use_pages(struct ompp_plan *plan);

/* Returns how many events a thread opens. */
uint32_t ompp_plan_n_events(const struct ompp_plan *plan);

#endif
