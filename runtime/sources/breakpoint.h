/*
 * Breakpoint: exact counts of the accesses to a few words, by the processor's debug registers (perf_event breakpoints);
 * for programs without hooks.  A hit costs some microseconds.
 *
 * One set of slots for the process: which words are watched.  Each thread has its own counters of them.
 */
#ifndef OMPP_SOURCES_BREAKPOINT_H
#define OMPP_SOURCES_BREAKPOINT_H

#include <stddef.h>
#include <stdint.h>

enum { OMPP_BREAKPOINTS = 4 };

enum ompp_breakpoint_kind { OMPP_BREAKPOINT_ALL, OMPP_BREAKPOINT_STORES };      /* loads or stores; stores alone */

struct ompp_breakpoint_slot {
	uint32_t                  object;
	enum ompp_breakpoint_kind kind;
	uint64_t                  n;            /* hits in this thread since its last read */
};

/* One thread's counters.  Zeroed: nothing open. */
struct ompp_breakpoints {
	int      fd[OMPP_BREAKPOINTS];          /* −1 or 0: not open */
	uint32_t generation;                    /* of the process's set that is open here */
	uint64_t last[OMPP_BREAKPOINTS];
};

/* 1 while some object is watched: read at region boundaries. */
extern int ompp_breakpoints_on;

/* Watch an object's range (it is moved when it is watched already); n_bytes 0: no longer.  All threads' counters
 * follow at their next read, the caller's at once.  `why` (n_why bytes) gets a sentence when it cannot be: too large
 * (at most 4 words of 8 bytes in all), no slot left (and which objects have them), EPERM, ENOENT … 0 or -errno. */
int ompp_breakpoint_watch(uint32_t object, uintptr_t address, size_t n_bytes, char *why, size_t n_why);

/* Hits of the calling thread since its last read; opens and moves its counters as the set demands.  The number of
 * slots filled. */
size_t ompp_breakpoint_read(struct ompp_breakpoints *own, struct ompp_breakpoint_slot slots[OMPP_BREAKPOINTS]);

/* The thread ends. */
void ompp_breakpoint_stop(struct ompp_breakpoints *own);

/* In a forked child: the parent's counters are not ours. */
void ompp_breakpoint_after_fork(struct ompp_breakpoints *own);

#endif
