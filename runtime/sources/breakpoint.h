/*
 * Breakpoint: counts the accesses to a few words exactly, by the processor's debug registers (perf_event breakpoints),
 * for programs without hooks.  A hit costs some microseconds.
 *
 * Counters that cost too much are given up: the limit for a thread's hits and readings is 0.2 s plus a tenth of the
 * time since the first name.  The kernel stops a counter after the remaining number of hits, even if the thread never
 * reads it; the object's counts are then not known.
 *
 * The process has one set of slots, which contains the watched words.  Each thread has its own counters for them, for
 * all or for none.  Counted are instructions of the program and its libraries that access a word.  One that loads and
 * stores the word is one hit of ALL and one of STORES, as is a failed compare-and-exchange on x86.  One that spans two
 * words of an object is a hit of each, and a repeated string instruction is a hit for each step.  The kernel's accesses
 * in a system call are not counted.
 */
#ifndef OMPP_SOURCES_BREAKPOINT_H
#define OMPP_SOURCES_BREAKPOINT_H

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { OMPP_BREAKPOINTS = 4 };

enum ompp_breakpoint_kind { OMPP_BREAKPOINT_ALL, OMPP_BREAKPOINT_STORES }; /* loads or stores; stores alone */

struct ompp_breakpoint_slot {
	uint32_t object;
	enum ompp_breakpoint_kind kind;
	uint64_t n; /* hits in this thread since its last read */
};

/* The open counters of one thread; all zero: none is open.  Used only by their thread, which has one such struct at a
 * time: reading another stops the first. */
struct ompp_breakpoints {
	uint32_t generation; /* generation of the process's set whose counters are open here */
	uint32_t n;          /* open counters */
	int leader; /* an event that counts nothing, so that the group continues when one of its counters is stopped */
	uint64_t leader_id;
	uint64_t allowed;  /* the count at which the kernel stops a counter; UINT64_MAX when it does not */
	uint64_t spent_ns; /* approximate cost of hits, readings and openings in this thread so far */
	int fd[OMPP_BREAKPOINTS];
	uint64_t id[OMPP_BREAKPOINTS]; /* of the kernel's events: the program may have closed or reused fd */
	uint64_t last[OMPP_BREAKPOINTS];
	uint32_t object[OMPP_BREAKPOINTS];
	enum ompp_breakpoint_kind kind[OMPP_BREAKPOINTS];
};

/* 1 from the first watched object on. */
extern int ompp_breakpoints_on;

/* Watches an object's range, or moves an object that is already watched; with n_bytes 0 stops watching it.  Returns 0
 * or -errno; errno is kept.  COLD.
 *
 * Each thread updates its counters at its next read; the caller reads at once.  While slots suffice, an object's words
 * get STORES in addition to ALL.  An object that cannot be watched is not watched later either, as its hits would be
 * incomplete.  The reason may be that it is too large (it may have at most 4 words of 8 aligned bytes in all), that no
 * slot is left, or that it is not permitted.
 * why: set to a sentence of at most n_why bytes when the object cannot be watched; it also names the objects that use
 * the slots */
int ompp_breakpoint_watch(uint32_t object, uintptr_t address, size_t n_bytes, char *why, size_t n_why);

/* Reads the calling thread's hits since its last read, of the words that were watched until now; opens and moves its
 * counters according to the set.  Returns the number of slots filled; an object has one for each word and kind.  Errno
 * is kept. */
size_t ompp_breakpoint_read(struct ompp_breakpoints *own, struct ompp_breakpoint_slot slots[OMPP_BREAKPOINTS]);

/* Returns which of an object's hits in all threads are known so far: 0 when none, or not all; 1 for the sum of all
 * accesses; 2 when the number of stores is known, too.  An object that is no longer watched keeps its state. */
int ompp_breakpoint_measured(uint32_t object);

/* Disables giving up counters for their cost.  Called before the first object.  COLD. */
void ompp_breakpoint_at_any_cost(void);

/* Returns 1 when the object was given up for its cost.
 * hit_ns: set to the cost of a hit */
int ompp_breakpoint_given_up(uint32_t object, uint64_t *hit_ns);

/* Stops watching and measuring an object for good, as it is in several places at once. */
void ompp_breakpoint_refuse(uint32_t object);

/* Returns 1, and a sentence in `why`, when hits of some threads were lost; else 0. */
int ompp_breakpoint_lost(char *why, size_t n_why);

/* Returns 1 in a virtual machine, where a trap may be lost, and SIGTRAP is sent instead. */
int ompp_breakpoint_may_lose(void);

/* 1 while the handler of SIGTRAP calls ompp_breakpoint_lost_trap().  If traps may be lost and it is 0, nothing is
 * counted.  Written by the code that installs that handler. */
extern _Atomic int ompp_breakpoint_handled;

/* 1 while the program blocks SIGTRAP in the calling thread, which then counts nothing if traps may be lost: the kernel
 * ends a process whose lost trap is blocked.  Set at the thread's start, and by ompp_breakpoint_block(). */
extern __thread int ompp_breakpoint_blocked __attribute__((tls_model("initial-exec")));

/* Reports that the calling thread is about to block SIGTRAP (1), or has unblocked it (0).  If traps may be lost, its
 * open counters are closed first, and from then on no object is measured.  May be called in signal handlers; errno is
 * kept. */
void ompp_breakpoint_block(int is_blocked);

/* Reports that from now on, in any thread, a lost trap might end the process, or reach a handler of the program that
 * mistakes it for its own.  The calling thread's counters are closed at once, those of others at their next reading.
 * May be called in signal handlers; errno is kept. */
void ompp_breakpoint_unguard(void);

/* Returns 1 when a SIGTRAP replaces a trap that the machine has lost; the handler then returns, and the program
 * continues.  From then on no object is measured, as it is not known whose hit that was.  A program's own INT1 is
 * distinguished by the byte before the address.  errno is kept.
 * info, context: the handler's arguments */
int ompp_breakpoint_lost_trap(const siginfo_t *info, const void *context);

/* Closes the counters of a thread that ends, after its last read. */
void ompp_breakpoint_stop(struct ompp_breakpoints *own);

/* Discards the counters of one of the parent's threads in a forked child, as they are not the child's.  Called for each
 * of these threads. */
void ompp_breakpoint_after_fork(struct ompp_breakpoints *own);

#endif
