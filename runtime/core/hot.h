/*
 * Hot: where in the code a thread spends its processor time, in each node of its call tree.
 *
 * The kernel writes the instruction at each tick of the thread's processor time into the thread's ring
 * (sources/source_hot.h).  Before the innermost node changes, the thread looks whether the ring has grown
 * (ompp_thread_is_sampled() in thread.h), and takes the samples if so.  All of them belong to that node, so no times
 * have to be compared.  A signal handler of the program is part of the node that it interrupts.
 *
 * A report takes the samples of threads that are still in a node.  Each context switch of a sampled thread takes
 * longer, as the kernel sets a timer: a thread that changes too often is not sampled any more.
 */
#ifndef OMPP_CORE_HOT_H
#define OMPP_CORE_HOT_H

#include <stdint.h>

#include "runtime/core/thread.h"
#include "runtime/samples/ring.h"

/* The samples of one instruction in one node.  ip is a key (host/past.h); 0 for samples that were lost, of which the
 * instruction is not known, but the node is; OMPP_HOT_OWN for all in libompp's own code. */
struct ompp_hot_sum {
	const struct ompp_callnode *node; /* NULL while the slot is free */
	uint64_t ip;
	uint64_t n;
};

enum { OMPP_HOT_FIRST_SLOTS = 128, OMPP_HOT_OWN = 1 };

struct ompp_hot {
	uint32_t is_held; /* 1 while a thread works here: the sampled one, or one that makes a report */
	int is_open, is_stopped;
	struct ompp_hot_look *look; /* of its slot */
	struct ompp_ring ring;
	uint64_t period_ns;
	struct ompp_hot_sum *sums; /* hash table with open addressing; at first `first` */
	uint32_t n_slots, n_used;
	struct ompp_hot_sum first[OMPP_HOT_FIRST_SLOTS];
	uint64_t n_lost;                     /* samples without instruction, and those without memory */
	const struct ompp_callnode *full_in; /* the node in which the ring was last full, or NULL */
	uint64_t full_records, full_samples; /* what was in it then */
	uint64_t begun_ns, n_switches;       /* when the ring was opened, and the context switches since then */
	uint64_t look_at;                    /* the number of switches at which their cost is looked at next */
};

/* Opens the ring of the main thread, which may run for long before its first event.  By that thread alone. */
void ompp_hot_begin_early(void);

/* Opens the ring of the calling thread, and closes it.  They do nothing where no processor time is sampled. */
void ompp_hot_begin(struct ompp_thread *t);
void ompp_hot_end(struct ompp_thread *t);

/* Takes the samples so far for the innermost node.  By the thread itself.  WARM: at most once a sample, except that a
 * report is made meanwhile. */
void ompp_hot_take(struct ompp_thread *t);

/* Takes the samples of all threads.  COLD. */
void ompp_hot_take_all(void);

/* Calls `each` for each sum of the thread.  COLD. */
void ompp_hot_each(struct ompp_thread *t, void (*each)(void *context, const struct ompp_hot_sum *sum), void *context);

/* In the child of a fork(): the first drops what the parent's thread had; the second lets the child's only thread be
 * sampled from its first event on. */
void ompp_hot_after_fork(struct ompp_thread *t);
void ompp_hot_restart(struct ompp_thread *t);

#endif
