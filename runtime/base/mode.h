/*
 * Mode: what events have to do besides reading the clock.
 *
 * One word for all of it, so that the hot path tests one.  Bits are set and cleared by whoever starts and ends such a
 * thing, and read at each event.
 */
#ifndef OMPP_BASE_MODE_H
#define OMPP_BASE_MODE_H

#include <stdint.h>

enum ompp_mode {
	OMPP_MODE_OFF = 1,              /* measuring is switched off, or is being switched */
	OMPP_MODE_VALUES = 2,           /* sources have values: they are read */
	OMPP_MODE_BOUNDARIES = 4        /* what was not counted yet is the innermost node's: hits of breakpoints, accesses
	                                   that core/follow.h holds back */
};

extern uint32_t ompp_modes __attribute__((visibility("hidden")));

static inline void ompp_mode_set(enum ompp_mode mode)
{
	__atomic_fetch_or(&ompp_modes, (uint32_t)mode, __ATOMIC_RELAXED);
}

static inline void ompp_mode_clear(enum ompp_mode mode)
{
	__atomic_fetch_and(&ompp_modes, ~(uint32_t)mode, __ATOMIC_RELAXED);
}

#endif
