/*
 * Breakpoint, the set: what the set of watched words (breakpoint.c) and each thread's counters of them
 * (breakpoint_thread.c) tell each other.
 */
#ifndef OMPP_SOURCES_BREAKPOINT_SET_H
#define OMPP_SOURCES_BREAKPOINT_SET_H

#include <stdatomic.h>
#include <stdint.h>

#include "runtime/sources/breakpoint.h"

/* A word that a counter watches, and why. */
struct ompp_breakpoint_counter {
	uintptr_t                 address;
	uint32_t                  n_bytes;
	uint32_t                  object;
	enum ompp_breakpoint_kind kind;
};

/* What hits and readings cost, in ns: measured before the first word is watched, constant afterwards.  begun_ns: when
 * that was, by the monotonic clock; 0: counters may cost whatever they do. */
struct ompp_breakpoint_cost { uint64_t hit_ns, read_ns; int64_t begun_ns; };
extern struct ompp_breakpoint_cost ompp_breakpoint_cost;

/* What the counters of a thread may have cost up to now, and so may the changes of the set. */
int64_t ompp_breakpoint_allowed_ns(void);

/* Changes with the set; even and not 0 when the set may be copied. */
extern _Atomic uint32_t ompp_breakpoint_generation;

/* Why the first thread lost hits: an errno; 0: none did. */
extern _Atomic int ompp_breakpoint_error;

/* Copies the set.  Returns its generation, or 0 while a writer changes it. */
uint32_t ompp_breakpoint_copy(struct ompp_breakpoint_counter counters[OMPP_BREAKPOINTS], uint32_t *n);

/* In a forked child, once: a thread that held the lock is not here to go on. */
void ompp_breakpoint_set_after_fork(void);

/* The object, or with OMPP_BREAKPOINT_ALL_OBJECTS every object, costs more than it tells. */
enum { OMPP_BREAKPOINT_ALL_OBJECTS = 0xffffffff };
void ompp_breakpoint_give_up(uint32_t object);

/* Opens a counter for the calling thread, in a group, which the kernel stops after stop_after hits (0: never).  Returns
 * the descriptor or -errno. */
int ompp_breakpoint_open(const struct ompp_breakpoint_counter *counter, int group, uint64_t stop_after);

/* How many counters the calling thread has open. */
uint32_t ompp_breakpoint_n_open(void);

#endif
