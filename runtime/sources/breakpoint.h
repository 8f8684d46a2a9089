/*
 * Breakpoint: exact counts of the accesses to a few words, by the processor's debug registers (perf_event breakpoints);
 * for programs without hooks.  A hit costs some microseconds.
 *
 * Counters that cost more than they tell are given up: what a thread's hits and readings cost may be 0.2 s and a tenth of
 * the time since the first name.  The kernel stops a counter after the hits that are left to it, also where the thread
 * never reads it; the object's counts are then not known.
 *
 * One set of slots for the process: which words are watched.  Each thread has its own counters of them, all of them or
 * none.  What is counted are instructions of the program and its libraries that access a word: one that loads and
 * stores it is one hit of ALL and one of STORES, as is a compare-and-exchange that fails on x86; one that reaches over
 * two words of an object is a hit of each; a repeated string instruction is one for each step.  What the kernel
 * accesses in a system call is none.
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

/* One thread's counters, as they are open.  Zeroed: nothing open.  Used by its thread alone, which has one of these at
 * a time: reading another stops the first. */
struct ompp_breakpoints {
	uint32_t generation;                    /* of the process's set that is open here */
	uint32_t n;                             /* counters open */
	int      leader;                        /* counts nothing: the group goes on when one of them is stopped */
	uint64_t leader_id;
	uint64_t allowed;                       /* the count at which the kernel stops a counter; UINT64_MAX: it does not */
	uint64_t spent_ns;                      /* what hits, readings and openings cost this thread so far, about */
	int      fd[OMPP_BREAKPOINTS];
	uint64_t id[OMPP_BREAKPOINTS];          /* of the kernel's events: the program may have closed or reused fd */
	uint64_t last[OMPP_BREAKPOINTS];
	uint32_t object[OMPP_BREAKPOINTS];
	enum ompp_breakpoint_kind kind[OMPP_BREAKPOINTS];
};

/* 1 from the first watched object on. */
extern int ompp_breakpoints_on;

/* Watch an object's range (it is moved when it is watched already); n_bytes 0: no longer.  Each thread's counters
 * follow at its next read; the caller reads at once.  `why` (n_why bytes) gets a sentence when it cannot be: too large
 * (at most 4 words of 8 aligned bytes in all), no slot left (and which objects have them), not permitted …: the object
 * is then not watched, nor later on, as its hits are not all known.  While slots suffice an object's words get STORES
 * besides ALL.  0 or -errno; errno is kept.  COLD. */
int ompp_breakpoint_watch(uint32_t object, uintptr_t address, size_t n_bytes, char *why, size_t n_why);

/* Hits of the calling thread since its last read, of what was watched until now; opens and moves its counters as the
 * set demands.  The number of slots filled; an object has one for each word and kind.  errno is kept. */
size_t ompp_breakpoint_read(struct ompp_breakpoints *own, struct ompp_breakpoint_slot slots[OMPP_BREAKPOINTS]);

/* What is known of an object's hits in all threads so far: 0 nothing, or not all; 1 all accesses together; 2 also how
 * many of them were stores.  An object that is no longer watched keeps what it had. */
int ompp_breakpoint_measured(uint32_t object);

/* Counters are never given up, whatever they cost.  COLD, before the first object. */
void ompp_breakpoint_at_any_cost(void);

/* Was the object given up for its cost?  *hit_ns: what a hit costs. */
int ompp_breakpoint_given_up(uint32_t object, uint64_t *hit_ns);

/* Not watched, and not measured from now on: an object that is in several places at once. */
void ompp_breakpoint_refuse(uint32_t object);

/* Why some threads' hits are not all known: 1, and a sentence; 0: they are. */
int ompp_breakpoint_lost(char *why, size_t n_why);

/* The thread ends: after its last read. */
void ompp_breakpoint_stop(struct ompp_breakpoints *own);

/* In a forked child, for each of the parent's threads: the parent's counters are not ours. */
void ompp_breakpoint_after_fork(struct ompp_breakpoints *own);

#endif
