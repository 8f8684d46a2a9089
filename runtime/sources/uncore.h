/*
 * Uncore: counters of the whole machine (memory controllers, power), one value for each NUMA node.
 *
 * They belong to no thread: the forking thread reads them at the fork and at the join of each outermost parallel region,
 * and what other programs did meanwhile is in them.  Opened once for the process, when the counters are; the
 * descriptors count on in forked children.
 */
#ifndef OMPP_SOURCES_UNCORE_H
#define OMPP_SOURCES_UNCORE_H

#include <stdint.h>

#include "runtime/base/metric.h"

struct ompp_counter;
struct ompp_text;

enum { OMPP_MAX_UNCORE = 64 };                  /* values: counters × NUMA nodes */

struct ompp_uncore_value {
	struct ompp_metric metric;              /* certainty: SCALED once a reading had to be */
	uint32_t           place;               /* NUMA node */
};

/* One reading of a value: the count, and the times in ns that its events were to count, and did. */
struct ompp_uncore_reading { uint64_t count, enabled, running; };

extern uint32_t ompp_n_uncore;                  /* values; written while sources are opened */
extern struct ompp_uncore_value ompp_uncore[OMPP_MAX_UNCORE];

/* Count this one too.  Its name, what and unit must stay.  0; or -errno, and in why "cause; what to do". */
int ompp_uncore_add(const struct ompp_counter *counter, struct ompp_text *why);

/* WARM: all values, ompp_n_uncore of them.  What cannot be read stands still, with running 0. */
void ompp_uncore_read(struct ompp_uncore_reading *readings);

/* What value i counted between two readings, scaled where it did not count all the time: 0; -ENODATA: it did not. */
int ompp_uncore_between(uint32_t i, const struct ompp_uncore_reading *from, const struct ompp_uncore_reading *to,
                        uint64_t *count);

void ompp_uncore_close(void);

#endif
