/*
 * Breakpoint: counts the accesses to a few words exactly, by the processor's debug registers (perf_event breakpoints),
 * for programs without hooks.  A hit costs some microseconds.
 *
 * Counters that cost more than they tell are given up: what a thread's hits and readings cost may be 0.2 s and a tenth
 * of the time since the first name.  The kernel stops a counter after the hits that are left to it, also where the
 * thread never reads it; the object's counts are then not known.
 *
 * The process has one set of slots, which says which words are watched.  Each thread has its own counters of them, all
 * of them or none.  Counted are instructions of the program and its libraries that access a word.  One that loads and
 * stores the word is one hit of ALL and one of STORES, as is a compare-and-exchange that fails on x86.  One that
 * reaches over two words of an object is a hit of each, and a repeated string instruction is a hit for each step.  What
 * the kernel accesses in a system call is not counted.
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

/* The counters that one thread has open; zeroed, none is open.  They are used by their thread alone, which has one of
 * these at a time: reading another stops the first. */
struct ompp_breakpoints {
	uint32_t generation; /* generation of the process's set whose counters are open here */
	uint32_t n;          /* open counters */
	int leader; /* an event that counts nothing, so that the group goes on when one of its counters is stopped */
	uint64_t leader_id;
	uint64_t allowed;  /* the count at which the kernel stops a counter; UINT64_MAX when it does not */
	uint64_t spent_ns; /* about how much hits, readings and openings have cost this thread so far */
	int fd[OMPP_BREAKPOINTS];
	uint64_t id[OMPP_BREAKPOINTS]; /* of the kernel's events: the program may have closed or reused fd */
	uint64_t last[OMPP_BREAKPOINTS];
	uint32_t object[OMPP_BREAKPOINTS];
	enum ompp_breakpoint_kind kind[OMPP_BREAKPOINTS];
};

/* It is 1 from the first watched object on. */
extern int ompp_breakpoints_on;

/* Watches an object's range, or moves an object that is watched already; with n_bytes 0 watches it no longer.  Returns
 * 0 or -errno; errno is kept.  COLD.
 *
 * Each thread's counters follow at its next read; the caller reads at once.  While slots suffice, an object's words get
 * STORES besides ALL.  An object that cannot be watched is not watched later on either, as its hits are not all known.
 * The reason may be that it is too large (it may have at most 4 words of 8 aligned bytes in all), that no slot is left,
 * or that it is not permitted.
 * why: gets a sentence of at most n_why bytes when the object cannot be watched, which also names the objects that have
 * the slots */
int ompp_breakpoint_watch(uint32_t object, uintptr_t address, size_t n_bytes, char *why, size_t n_why);

/* Reads the calling thread's hits since its last read, of the words that were watched until now; opens and moves its
 * counters as the set demands.  Returns the number of slots filled; an object has one for each word and kind.  Errno
 * is kept. */
size_t ompp_breakpoint_read(struct ompp_breakpoints *own, struct ompp_breakpoint_slot slots[OMPP_BREAKPOINTS]);

/* Returns what is known of an object's hits in all threads so far: 0 when nothing is known, or not all; 1 for the sum
 * of all accesses; 2 when it is also known how many of them were stores.  An object that is no longer watched keeps
 * what it had. */
int ompp_breakpoint_measured(uint32_t object);

/* Makes sure that counters are never given up, whatever they cost.  Called before the first object.  COLD. */
void ompp_breakpoint_at_any_cost(void);

/* Returns 1 when the object was given up for its cost.
 * hit_ns: gets what a hit costs */
int ompp_breakpoint_given_up(uint32_t object, uint64_t *hit_ns);

/* Makes an object neither watched nor measured from now on, as it is in several places at once. */
void ompp_breakpoint_refuse(uint32_t object);

/* Returns 1, and a sentence in why, when some threads' hits are not all known; 0 when they are. */
int ompp_breakpoint_lost(char *why, size_t n_why);

/* Tells whether this is a virtual machine, where a trap may be lost, and SIGTRAP is sent in its place. */
int ompp_breakpoint_may_lose(void);

/* It is 1 while the handler of SIGTRAP asks ompp_breakpoint_lost_trap().  Where traps may be lost and it is 0, nothing
 * is counted.  Written by whoever installs that handler. */
extern _Atomic int ompp_breakpoint_handled;

/* It is 1 while the program blocks SIGTRAP in the calling thread, which then counts nothing where traps may be lost:
 * the kernel ends a process whose lost trap is blocked.  Set at the thread's start, and by ompp_breakpoint_block(). */
extern __thread int ompp_breakpoint_blocked __attribute__((tls_model("initial-exec")));

/* Says that the calling thread is about to block SIGTRAP (1), or has unblocked it (0).  Counters that it has open where
 * traps may be lost are closed first, and from then on no object is measured.  May be called in signal handlers; errno
 * is kept. */
void ompp_breakpoint_block(int is_blocked);

/* Says that from now on a lost trap might end the process, or come to a handler that takes it for its own, in any
 * thread.  The calling thread's counters are closed at once, those of others at their next reading.  May be called in
 * signal handlers; errno is kept. */
void ompp_breakpoint_unguard(void);

/* Tells whether a SIGTRAP stands for a trap that the machine has lost; the handler then returns, and the program goes
 * on.  From then on no object is measured, as it is not known whose hit that was.  A program's own INT1 is told from it
 * by the byte before the address; errno is kept.
 * info, context: as the handler got them */
int ompp_breakpoint_lost_trap(const siginfo_t *info, const void *context);

/* Closes the counters of a thread that ends, after its last read. */
void ompp_breakpoint_stop(struct ompp_breakpoints *own);

/* Forgets the counters of one of the parent's threads in a forked child, as they are not the child's.  Called for each
 * of these threads. */
void ompp_breakpoint_after_fork(struct ompp_breakpoints *own);

#endif
