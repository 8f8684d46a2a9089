/*
 * Counter entry: a name of a counter, what it means, and whether it counts in this machine.
 */
#ifndef OMPP_COUNTER_ENTRY_H
#define OMPP_COUNTER_ENTRY_H

#include "runtime/counters/counter.h"

enum { OMPP_WHY_BYTES = 256 };

/* Whether it counts here. */
enum ompp_here {
	OMPP_HERE_COUNTS,
	OMPP_HERE_ZERO,     /* it opens, but counted nothing in the test loop, which need not cause such events */
	OMPP_HERE_TOLD,     /* perf_event is not permitted, but the kernel's statistics of the process have it */
	OMPP_HERE_BY_HOOKS, /* in programs built with kinst --access */
	OMPP_HERE_BY_WORK,  /* in programs built with kinst --work */
	OMPP_HERE_NOT
};

struct ompp_counter_entry {
	struct ompp_counter counter;
	enum ompp_here here;
	int rc;                   /* what ompp_counter_find() returned */
	int64_t value;            /* of COUNTS: its count in the test loop */
	char why[OMPP_WHY_BYTES]; /* of NOT and TOLD */
};

/* Finds what a name means and, by trying it, whether it counts on this machine. */
void ompp_counter_look_up(struct ompp_counter_entry *entry, const char *name);

/* Is it a preset of PAPI, named by PAPI itself? */
int ompp_counter_is_preset(const struct ompp_counter_entry *entry);

/* Is the name unknown or invalid? */
int ompp_counter_is_unknown(const struct ompp_counter_entry *entry);

#endif
