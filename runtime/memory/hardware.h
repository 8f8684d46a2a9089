/*
 * Hardware: the processor's samples of each thread's memory accesses, and where they belong.
 *
 * The kernel writes the samples of a thread into a ring (sources/source_samples.h).  While threads run, the rings are
 * drained off the hot path: by the thread itself at the ends of nodes when its ring has filled by a quarter; and by one
 * helper thread of ours, for threads that stay in one node for long.  A sample belongs to the node in which its thread
 * was at the sample's time (recent.h), and to the objects that were at its address then (ranges/ended.h).
 *
 * The helper is no thread of the C library's: it has no thread-local data, so it calls only what needs none; it blocks
 * all signals, and the process does not wait for it when it ends.
 */
#ifndef OMPP_MEMORY_HARDWARE_H
#define OMPP_MEMORY_HARDWARE_H

#include <stdint.h>

#include "runtime/core/recent.h"
#include "runtime/samples/sampler.h"

struct ompp_thread;

struct ompp_hardware {
	uint32_t holder;    /* thread id of the one who drains, opens or closes; 0 for nobody */
	int is_open;        /* written by the holder */
	int is_hung;        /* the event has ended without us: the helper does not wait for it; by the helper */
	uint64_t n_drained; /* changes until the ring was last seen empty; by the thread */
	struct ompp_sampler sampler; /* by the holder, but for the ring's fill level */
	struct ompp_stamp_scale scale;
	struct ompp_sampler_counts noted; /* losses that are in the notes already; by the holder */
	struct ompp_recent recent;
};

/* Gets ready to sample when the sources found a processor that does.  COLD. */
void ompp_hardware_start(void);

/* Open and close the events of the calling thread; they do nothing when the processor does not sample. */
void ompp_hardware_open(struct ompp_thread *t);
void ompp_hardware_close(struct ompp_thread *t);

/* Notes that the thread's innermost node ends, and drains the ring when it is time to.  By the thread, in the mode
 * OMPP_MODE_SAMPLES. */
void ompp_hardware_boundary(struct ompp_thread *t);

/* Starts the helper, once in a process; it drains the rings of page faults (touch.h), too. */
void ompp_hardware_help(void);

/* Takes the samples that the rings of all threads hold.  Returns how many rings are left, as another reader, or this
 * thread in the middle of it, does not end.  COLD. */
uint32_t ompp_hardware_drain(void);

/* In the child of a fork(): the first lets go of what a thread had in the parent; after all threads were so, the second
 * begins anew for the only thread that the child has. */
void ompp_hardware_after_fork(struct ompp_thread *t);
void ompp_hardware_restart(struct ompp_thread *t);

#endif
