/*
 * Touch: which thread, region and instruction gave each page of memory its first touch.
 *
 * The kernel writes each page fault into a ring buffer of the thread (sources/source_touch.h).  A fault belongs to the
 * node in which the thread was at that time: at the end of a node the thread records how far the ring was filled.  From
 * time to time one thread reads the faults from all rings, finds the first touches among them, and adds these to the
 * threads' sums.
 *
 * A page counts once: for the fault that gave it memory of its own.  A page that is only read has none, as all such
 * pages share the zero page; a later write causes another fault that allocates memory, and that one counts.  Further
 * faults, such as those after fork() (copy-on-write) and of the kernel's NUMA balancing, do not count.
 */
#ifndef OMPP_MEMORY_TOUCH_H
#define OMPP_MEMORY_TOUCH_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/samples/sampler.h"

struct ompp_callnode;
struct ompp_thread;
struct pollfd;

/* Receives a fault of a thread that was in this node; called by the holder of the lock below. */
typedef void ompp_touches_take(struct ompp_thread *thread, const struct ompp_callnode *node,
                               const struct ompp_mem_sample *fault);

enum { OMPP_TOUCH_CHANGES = 64, OMPP_TOUCH_CPUS = 8192 };

/* The faults whose records end at or before this position of the ring, and after that of the previous change, were in
 * this node. */
struct ompp_touch_change {
	uint64_t offset;
	const struct ompp_callnode *node;
};

struct ompp_touches {
	struct ompp_sampler sampler; /* used by the holder of the lock */
	int is_open;                 /* written under the lock */
	int is_hung;     /* the kernel has ended the event: the helper does not wait for it; written by the helper */
	uint64_t n_lost; /* losses that are already in the notes; written under the lock */
	uint64_t offset; /* how far the ring was filled at the latest change; used only by the thread */
	struct ompp_touch_change changes[OMPP_TOUCH_CHANGES]; /* change i is in slot i % OMPP_TOUCH_CHANGES */
	uint64_t n_changes;                                   /* written by the thread: release */
	uint64_t allowed[OMPP_TOUCH_CPUS / 64]; /* a bit for each processor that the thread could use at its start */
	uint64_t n_taken; /* changes below this number are no longer needed; written under the lock: release */
};

/* Starts recording first touches if OMPP_SAMPLE requests it.  COLD. */
void ompp_touches_start(void);

/* Passes the faults of all threads to `to` from now on, where the kernel reports them and no first touches are
 * recorded.  Returns 0; or -1, and then nothing is passed.  COLD. */
int ompp_touches_hand_over(ompp_touches_take *to);

/* Opens the ring of the calling thread, and closes it.  They do nothing when no first touches are recorded. */
void ompp_touches_open(struct ompp_thread *t);
void ompp_touches_close(struct ompp_thread *t);

/* Records that the thread's innermost node changes.  Called by the thread itself.  HOT: some 10 instructions when there
 * was no fault. */
void ompp_touches_boundary(struct ompp_thread *t);

/* Returns 1 when first touches are recorded. */
int ompp_touches_are_on(void);

/* Take and release the lock under which faults are read, first touches are determined, and data/touched.h is written.
 * The first returns 0, or -1 when the kernel reports no faults, when another thread does not release the lock, or when
 * this thread has it. */
int ompp_touches_hold(void);
void ompp_touches_let_go(void);

/* Reads the faults of all threads; waits while another thread is doing so. */
void ompp_touches_drain(void);

/* Does the same for a report.  Returns 0, or -1 when that thread does not finish, or is this one, interrupted while
 * doing so. */
int ompp_touches_finish(void);

/* For the helper (hardware.h): the first lists the rings to wait for, and returns how many; the second reads the faults
 * of all threads when a ring is a quarter full. */
uint32_t ompp_touches_list(struct pollfd *files);
void ompp_touches_drain_full(const struct pollfd *files, uint32_t n);

/* Marks memory as libompp's own, so that its pages do not count. */
void ompp_touches_own(const void *memory, size_t n_bytes);

/* Reports that the process is about to fork: from then on, writes may cause copy-on-write faults. */
void ompp_touches_before_fork(void);

/* In the child of a fork(): the first is called for each of the parent's threads, which are not there any more, and
 * then the second for the child's only one. */
void ompp_touches_after_fork(struct ompp_thread *t);
void ompp_touches_restart(struct ompp_thread *t);

#endif
