/*
 * Counter try: does a counter count here?  Its events are opened, and read around a known loop.
 *
 * Nothing else tells: PAPI shows counters where there are none, and what opens may never count.  COLD;
 * changes errno.
 */
#ifndef OMPP_BASE_COUNTER_TRY_H
#define OMPP_BASE_COUNTER_TRY_H

#include <stdint.h>

struct ompp_counter;
struct ompp_text;

/* Work that every event with `busy` counts: integers, floating point, loads, stores, branches, new pages. */
void ompp_counter_work(void);

/* The counter's value for that work, each event alone: 0; or -errno, and why ("cause; what to do").  Of the
 * whole machine: on the first of its CPUs. */
int ompp_counter_try(const struct ompp_counter *counter, int64_t *value, struct ompp_text *why);

/* What asks whether a ready group can be counted: that, or of a test its own. */
extern int (*ompp_counter_trial)(const struct ompp_counter *counter, int64_t *value, struct ompp_text *why);

#endif
