/*
 * Storms: what tests of storms share.  The clock is the fake one, which goes on by a microsecond when it is read.
 */
#ifndef TESTS_STORMS_H
#define TESTS_STORMS_H

#include "tests/unit/steps.h"

#include "runtime/core/session.h"
#include "runtime/core/storm.h"
#include "runtime/core/thread.h"
#include "runtime/host/clock.h"
#include "runtime/terms/mode.h"

/* Takes events for so long that visits of less than 100 us are a storm, of which about one in 30 is timed. */
static inline void start(void)
{
	option("OMPP_SAMPLE_SEED", "1"); /* the same choices in each run of the test */
	POMP2_Init();
	ompp_mode_clear(OMPP_MODE_VALUES); /* in which all visits go the long way, and are timed */
	ompp_mode_set(OMPP_MODE_STORMS);
	ompp_storm_costs = (struct ompp_storm_costs){ .pair_fp = 10 * 1000 * 256, .untimed_fp = 1000 * 256 };
}

static inline void pass(int us)
{
	while (us-- > 0)
		ompp_clock();
}

/* Passes the time of the visit on top; in one that is not timed, also that of the clock's reading at its end. */
static inline void pass_in_visit(int us)
{
	pass(us + (ompp_self->top->flags & OMPP_FRAME_UNTIMED ? 1 : 0));
}

#endif
