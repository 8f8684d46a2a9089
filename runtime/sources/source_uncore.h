/*
 * Uncore: counters of the whole machine (memory controllers, power), one value for each NUMA node.
 *
 * They belong to no thread: the forking thread reads them at the fork and at the join of each outermost parallel
 * region, and what other programs did meanwhile is counted, too.  They are opened once for the process, when the
 * counters are; the descriptors count on in forked children.
 */
#ifndef OMPP_SOURCES_SOURCE_UNCORE_H
#define OMPP_SOURCES_SOURCE_UNCORE_H

#include <stdint.h>

#include "runtime/counters/metric.h"

struct ompp_counter;
struct ompp_text;

struct ompp_uncore_value {
	struct ompp_metric metric; /* its certainty becomes SCALED once a reading had to be scaled */
	uint32_t place;            /* NUMA node */
};

/* One reading of a value: the count, the time in ns that its events were to count, and the time that they did; and how
 * many events were read.  The kernel's clock may stand still between two readings. */
struct ompp_uncore_reading {
	uint64_t count, enabled, running;
	uint32_t n_events;
};

/* The values, counters × NUMA nodes, and how many there are.  Written while sources are opened, before anybody reads;
 * the array may move then. */
extern uint32_t ompp_n_uncore;
extern struct ompp_uncore_value *ompp_uncore;

/* Adds a counter, whose name, what and unit must stay.  Returns 0 or -errno.
 * why: gets "cause; what to do" when it cannot be counted */
int ompp_uncore_add(const struct ompp_counter *counter, struct ompp_text *why);

/* Reads all ompp_n_uncore values.  One that cannot be read stands still, and has no events.  WARM. */
void ompp_uncore_read(struct ompp_uncore_reading *readings);

/* Finds what value i counted between two readings, scaled when it did not count all the time.  Returns 0, or -ENODATA
 * when it did not count. */
int ompp_uncore_between(uint32_t i, const struct ompp_uncore_reading *from, const struct ompp_uncore_reading *to,
                        uint64_t *count);

void ompp_uncore_close(void);

#endif
