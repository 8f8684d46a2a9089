/*
 * Counter try: tests whether a counter counts here.  Its events are opened, and read around a known loop.
 *
 * Only a test can tell: PAPI lists counters that do not exist, and an event that can be opened may never count.  COLD;
 * these functions change errno.
 */
#ifndef OMPP_COUNTERS_COUNTER_TRY_H
#define OMPP_COUNTERS_COUNTER_TRY_H

#include <stdint.h>

struct ompp_counter;
struct ompp_text;

/* Does work that every event with `busy` must count: integers, floating point, loads, stores, branches, new pages. */
void ompp_counter_work(void);

/* Counts that work, with each event of the counter alone; a counter of the whole machine on the first of its CPUs.
 * Returns 0 and the value, or -errno and the reason in `why` ("cause; what to do"). */
int ompp_counter_try(const struct ompp_counter *counter, int64_t *value, struct ompp_text *why);

/* The function with which ready groups test a counter: ompp_counter_try().  A test may replace it. */
extern int (*ompp_counter_trial)(const struct ompp_counter *counter, int64_t *value, struct ompp_text *why);

#endif
