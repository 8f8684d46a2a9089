/*
 * Counter plan: which events of the kernel are counted together, so that one reading gives them all.
 *
 * Made once, by trying: each event alone around a loop that must count it, then all that fit into one group of a PMU.
 * Software events join the only hardware group; where there are several, that take turns, they have one of their own,
 * and stay exact.  What the kernel does not let us count, but tells a thread of itself, is read from there.  COLD.
 */
#ifndef OMPP_SOURCES_COUNTER_PLAN_H
#define OMPP_SOURCES_COUNTER_PLAN_H

#include <stdint.h>

#include "runtime/base/counter.h"
#include "runtime/base/event.h"

enum { OMPP_PLAN_COUNTERS = 40, OMPP_PLAN_GROUPS = 12, OMPP_PLAN_SHARES = 7, OMPP_PLAN_WHY = 208 };

enum { OMPP_PLAN_OWN = 255 };                   /* in place of a group: the thread's own */

struct ompp_plan_term {
	uint8_t group, at;                      /* the event's place in the group; of the thread's own: which */
	int32_t factor;
};

struct ompp_plan_counter {
	const struct ompp_counter *counter;
	int                   error;            /* 0: it is counted; -errno: why not */
	uint32_t              n_terms;
	struct ompp_plan_term term[OMPP_COUNTER_EVENTS];
	uint32_t              value;            /* place among the values of a reading; UINT32_MAX: not counted */
	uint32_t              share;            /* index; UINT32_MAX: not counted */
	char                  why[OMPP_PLAN_WHY];       /* why not counted, or not by an event: "cause; what to do" */
};

struct ompp_plan_group {
	uint32_t               pmu, n;
	int                    hardware;        /* 1: it has hardware events */
	int                    paged;           /* 1: the processor may read them: hardware events alone, and allowed */
	struct ompp_event_code code[OMPP_EVENT_GROUP];
};

struct ompp_plan {
	uint32_t                 n_counters, n_counted, n_groups, n_shares;
	struct ompp_plan_counter counter[OMPP_PLAN_COUNTERS];
	struct ompp_plan_group   group[OMPP_PLAN_GROUPS];
	uint32_t                 share[OMPP_PLAN_SHARES];       /* the groups that a counter needs, a bit each; 0: own */
	uint32_t                 own;           /* enum ompp_own that are read, a bit each */
};

/* The kernel, or a test in its place. */
struct ompp_plan_kernel {
	int  (*open)(const struct ompp_event_code *code, int group);    /* as ompp_event_open_code() */
	void (*close)(int fd);
	/* Let the group count a loop with loads, stores, branches and new pages.  0 or -errno. */
	int  (*count)(int leader, uint32_t n, struct ompp_event_reading *reading);
};
extern const struct ompp_plan_kernel ompp_plan_kernel;

/* Plan for n counters, at most OMPP_PLAN_COUNTERS, of kind THREAD; they stay as long as the plan.  multiplex 1: what
 * does not fit into a group gets a further one; 0: it is refused, and why names what is in its way. */
void ompp_plan_make(struct ompp_plan *plan, const struct ompp_counter *const *counters, uint32_t n, int multiplex,
                    const struct ompp_plan_kernel *kernel);

/* The processor may read counters: of groups without software events, that the kernel would have to be asked for. */
void ompp_plan_use_pages(struct ompp_plan *plan);

/* How many events a thread opens. */
uint32_t ompp_plan_n_events(const struct ompp_plan *plan);

#endif
