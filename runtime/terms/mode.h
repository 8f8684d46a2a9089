/*
 * Mode: flags for what events have to do besides reading the clock.
 *
 * All flags are in one word, so that the hot path tests only one.  A part of the runtime sets its bit when it starts
 * and clears it when it ends; each event reads the word.
 */
#ifndef OMPP_TERMS_MODE_H
#define OMPP_TERMS_MODE_H

#include <stdint.h>

enum ompp_mode {
	OMPP_MODE_OFF = 1,         /* measuring is off, or is being switched */
	OMPP_MODE_VALUES = 2,      /* sources have values, which must be read */
	OMPP_MODE_BREAKPOINTS = 4, /* hits of breakpoints are counted for the innermost node */
	OMPP_MODE_TOUCHES = 8,     /* first touches are looked for: ends of nodes are noted */
	OMPP_MODE_SAMPLES = 16,    /* the processor samples: ends of nodes are noted */
	OMPP_MODE_TRACE = 32,      /* a trace is written: changes of regions are noted */
	OMPP_MODE_STORMS = 64,     /* short visits may be counted without their time (core/storm.h) */
	OMPP_MODE_EMULATED = 128,  /* accesses wait in the emulator's plug-in: ends of nodes take them */
	OMPP_MODE_SPAN = 256,      /* the longest path is looked for (span/span.h) */
	OMPP_MODE_NESTS = 512,   /* nests of loops are replayed (access/access_interchange.h): ends of nodes end them */
	OMPP_MODE_CLOCK = 1024,  /* a reading of the clock is a call (host/clock.h), or will be */
	OMPP_MODE_HOLDING = 2048 /* the word's upper bytes count the threads that hold back accesses (access/follow.h);
	                           these belong to the innermost node */
};

/* The modes in which the begin and the end of a node have something to count or record. */
enum {
	OMPP_MODE_BOUNDARIES = (int)~(OMPP_MODE_HOLDING - 1u) | OMPP_MODE_BREAKPOINTS | OMPP_MODE_TOUCHES |
	                       OMPP_MODE_SAMPLES | OMPP_MODE_TRACE | OMPP_MODE_EMULATED | OMPP_MODE_NESTS
};

extern uint32_t ompp_modes __attribute__((visibility("hidden")));

/* Returns 1 where short visits may be counted without their time, and events have nothing else to do. */
static inline int ompp_mode_is_storms(void)
{
	return (__atomic_load_n(&ompp_modes, __ATOMIC_RELAXED) & ~(uint32_t)OMPP_MODE_CLOCK) == OMPP_MODE_STORMS;
}

static inline void ompp_mode_set(enum ompp_mode mode)
{
	__atomic_fetch_or(&ompp_modes, (uint32_t)mode, __ATOMIC_RELAXED);
}

static inline void ompp_mode_hold(void)
{
	__atomic_fetch_add(&ompp_modes, (uint32_t)OMPP_MODE_HOLDING, __ATOMIC_RELAXED);
}

static inline void ompp_mode_let_go(void)
{
	__atomic_fetch_sub(&ompp_modes, (uint32_t)OMPP_MODE_HOLDING, __ATOMIC_RELAXED);
}

static inline void ompp_mode_clear(enum ompp_mode mode)
{
	__atomic_fetch_and(&ompp_modes, ~(uint32_t)mode, __ATOMIC_RELAXED);
}

#endif
