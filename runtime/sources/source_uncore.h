/*
 * Uncore: counters of the whole machine (memory controllers, power), one value for each NUMA node.
 *
 * They belong to no thread: the forking thread reads them at the fork and at the join of each outermost parallel
 * region, and events of other programs are counted, too.  They are opened once for the process, together with the
 * counters; the descriptors remain valid in forked children.
 */
#ifndef OMPP_SOURCES_SOURCE_UNCORE_H
#define OMPP_SOURCES_SOURCE_UNCORE_H

#include <stdint.h>

#include "runtime/counters/metric.h"

struct ompp_counter;
struct ompp_text;

struct ompp_uncore_value {
	struct ompp_metric metric; /* its certainty becomes SCALED after a reading had to be scaled */
	uint32_t node;             /* NUMA node */
};

/* One reading of a value: the count, the time in ns for which its events were enabled, and the time for which they
 * counted; and the number of events read.  The kernel's clock may not advance between two readings. */
struct ompp_uncore_reading {
	uint64_t count, enabled, running;
	uint32_t n_events;
};

/* The values (counters × NUMA nodes) and their number.  Written while sources are opened, before any reading; the array
 * may move then. */
extern uint32_t ompp_n_uncore;
extern struct ompp_uncore_value *ompp_uncore;

/* Adds a counter, whose name, what and unit must remain valid.  Returns 0 or -errno.
 * why: set to "cause; what to do" when it cannot be counted */
int ompp_uncore_add(const struct ompp_counter *counter, struct ompp_text *why);

/* Reads all ompp_n_uncore values.  One that cannot be read does not change, and has 0 events.  WARM. */
void ompp_uncore_read(struct ompp_uncore_reading *readings);

/* Computes the count of value i between two readings, scaled when it did not count all the time.  Returns 0, or
 * -ENODATA when it did not count. */
int ompp_uncore_between(uint32_t i, const struct ompp_uncore_reading *from, const struct ompp_uncore_reading *to,
                        uint64_t *count);

void ompp_uncore_close(void);

#endif
