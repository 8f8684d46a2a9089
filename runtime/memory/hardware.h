/*
 * Hardware: reads the processor's samples of each thread's memory accesses, and finds their nodes and objects.
 *
 * The kernel writes the samples of a thread into a ring buffer (sources/source_samples.h).  While threads run, the
 * rings are drained off the hot path: by the thread itself at the end of a node when a quarter of its ring has been
 * filled; and by one helper thread of ours, for threads that stay in one node for long.  A sample belongs to the node
 * in which its thread was at the sample's time (recent.h), and to the objects that were at its address then
 * (ranges/ended.h).
 *
 * The helper is not a thread of the C library (core/helper_thread.h): it has no thread-local storage, so it calls only
 * functions that need none; it blocks all signals, and the process does not wait for it at its end.
 */
#ifndef OMPP_MEMORY_HARDWARE_H
#define OMPP_MEMORY_HARDWARE_H

#include <stdint.h>

#include "runtime/core/recent.h"
#include "runtime/samples/sampler.h"

struct ompp_thread;

struct ompp_hardware {
	uint32_t holder;    /* id of the thread that drains, opens or closes it; 0 for none */
	int is_open;        /* written by the holder */
	int is_hung;        /* the kernel has ended the event: the helper does not wait for it; written by the helper */
	uint64_t n_drained; /* changes until the ring was last seen empty; written by the thread */
	struct ompp_sampler sampler; /* used by the holder, except the ring's fill level */
	struct ompp_stamp_scale scale;
	struct ompp_sampler_counts noted; /* losses that are already in the notes; written by the holder */
	struct ompp_recent recent;
};

/* Prepares sampling if the sources found a processor that supports it.  COLD. */
void ompp_hardware_start(void);

/* Open and close the events of the calling thread; they do nothing when the processor does not sample. */
void ompp_hardware_open(struct ompp_thread *t);
void ompp_hardware_close(struct ompp_thread *t);

/* Records the end of the thread's innermost node, and drains the ring when necessary.  Called by the thread, in
 * OMPP_MODE_SAMPLES. */
void ompp_hardware_boundary(struct ompp_thread *t);

/* Starts the helper, once in a process; it drains the rings of page faults (touch.h), too. */
void ompp_hardware_help(void);

/* Reads the samples in the rings of all threads.  Returns the number of rings that could not be read, as another reader
 * did not finish, or this thread was interrupted while reading.  COLD. */
uint32_t ompp_hardware_drain(void);

/* In the child of a fork(): the first releases a thread's data of the parent; after it was called for all threads, the
 * second starts sampling again for the child's only thread. */
void ompp_hardware_after_fork(struct ompp_thread *t);
void ompp_hardware_restart(struct ompp_thread *t);

#endif
