/*
 * Breakpoint, the set: the interface between the set of watched words (breakpoint.c) and each thread's counters of them
 * (breakpoint_thread.c).
 */
#ifndef OMPP_SOURCES_BREAKPOINT_SET_H
#define OMPP_SOURCES_BREAKPOINT_SET_H

#include <stdatomic.h>
#include <stdint.h>

#include "runtime/sources/breakpoint.h"

/* A word that a counter watches, and its object and kind. */
struct ompp_breakpoint_counter {
	uintptr_t address;
	uint32_t n_bytes;
	uint32_t object;
	enum ompp_breakpoint_kind kind;
};

/* The cost of hits and readings, in ns: measured before the first word is watched, constant afterwards.  begun_ns is
 * the time of that, by the monotonic clock; 0 when the cost is not limited. */
struct ompp_breakpoint_cost {
	uint64_t hit_ns, read_ns;
	int64_t begun_ns;
};
extern struct ompp_breakpoint_cost ompp_breakpoint_cost;

/* Returns the limit, in ns, for the cost of a thread's counters up to now; the same limit applies to changes of the
 * set. */
int64_t ompp_breakpoint_allowed_ns(void);

/* Changes with the set (seqlock); even and not 0 when the set may be copied. */
extern _Atomic uint32_t ompp_breakpoint_generation;

/* The errno for which the first thread lost hits; 0 when none did. */
extern _Atomic int ompp_breakpoint_error;

/* Copies the set.  Returns its generation, or 0 while a writer changes it. */
uint32_t ompp_breakpoint_copy(struct ompp_breakpoint_counter counters[OMPP_BREAKPOINTS], uint32_t *n);

/* Frees the lock in a forked child, where a thread that held it is gone.  Called once. */
void ompp_breakpoint_set_after_fork(void);

/* Gives up the object, or with OMPP_BREAKPOINT_ALL_OBJECTS every object, for its cost. */
enum { OMPP_BREAKPOINT_ALL_OBJECTS = 0xffffffff };
void ompp_breakpoint_give_up(uint32_t object);

/* Reasons for lost hits, in addition to the errors of system calls: a virtual machine lost a trap; it may lose one, and
 * the program blocks or handles SIGTRAP. */
enum { OMPP_BREAKPOINT_LOST_TRAP = 1000, OMPP_BREAKPOINT_UNGUARDED };

/* 1 for good after ompp_breakpoint_unguard(). */
extern _Atomic int ompp_breakpoint_unguarded;

/* Returns 1 when ompp_breakpoint_lost_trap() is called for each SIGTRAP of the calling thread, or traps are never
 * lost. */
int ompp_breakpoint_is_guarded(void);

/* 1 while the calling thread has a counter open to measure the cost of a hit. */
extern __thread int ompp_breakpoint_tries __attribute__((tls_model("initial-exec")));

/* Opens a counter for the calling thread, in a group.  Returns the descriptor or -errno.
 * stop_after: after so many hits the kernel stops it; 0 for never */
int ompp_breakpoint_open(const struct ompp_breakpoint_counter *counter, int group, uint64_t stop_after);

/* The counters of the calling thread; NULL before its first reading. */
extern __thread struct ompp_breakpoints *ompp_breakpoint_mine __attribute__((tls_model("initial-exec")));

/* Returns how many counters the calling thread has open. */
uint32_t ompp_breakpoint_n_open(void);

#endif
