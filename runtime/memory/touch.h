/*
 * Touch: which thread, region and instruction gave each page of memory its first touch.
 *
 * The kernel writes each page fault into a ring of the thread (sources/source_touch.h).  A fault belongs to the node in
 * which the thread was then: at the end of a node its thread notes how far the ring was filled.  From time to time one
 * thread takes the faults of all rings, finds out which of them are first touches, and adds these to the threads' sums.
 *
 * A page counts once: for the last fault before it had memory of its own.  A page that is only read has none, as all
 * such pages share one page of zeros; when it is written later, the kernel is asked for memory by another fault, and
 * that one counts.  Further faults, as those after fork() (copies) and of the kernel's NUMA balancing, do not count.
 */
#ifndef OMPP_MEMORY_TOUCH_H
#define OMPP_MEMORY_TOUCH_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/samples/sampler.h"

struct ompp_callnode;
struct ompp_thread;
struct pollfd;

/* Takes a fault of a thread that was in this node, by the holder of the lock below. */
typedef void ompp_touches_take(struct ompp_thread *thread, const struct ompp_callnode *node,
                               const struct ompp_mem_sample *fault);

enum { OMPP_TOUCH_CHANGES = 64, OMPP_TOUCH_CPUS = 8192 };

/* The faults whose records end at or before this place of the ring, and after the place of the change before, were in
 * this node. */
struct ompp_touch_change {
	uint64_t place;
	const struct ompp_callnode *node;
};

struct ompp_touches {
	struct ompp_sampler sampler; /* used by the holder of the lock */
	int is_open;                 /* written under the lock */
	int is_hung;     /* the event has ended without us: the helper does not wait for it; by the helper */
	uint64_t n_lost; /* losses that are in the notes already; under the lock */
	uint64_t place;  /* how far the ring was filled at the latest change; the thread's own */
	struct ompp_touch_change changes[OMPP_TOUCH_CHANGES]; /* number i is in place i % OMPP_TOUCH_CHANGES */
	uint64_t n_changes;                                   /* written by the thread: release */
	uint64_t allowed[OMPP_TOUCH_CPUS / 64]; /* a bit for each processor that the thread could use when it began */
	uint64_t n_taken; /* the changes below are not needed any more; written under the lock: release */
};

/* Starts to look for first touches where OMPP_SAMPLE asks for it.  COLD. */
void ompp_touches_start(void);

/* Hands over the faults of all threads from now on, where the kernel tells them and no first touches are looked for.
 * Returns 0; or -1, and then nothing is handed over.  COLD. */
int ompp_touches_hand_over(ompp_touches_take *to);

/* Opens the ring of the calling thread, and closes it.  They do nothing when no first touches are looked for. */
void ompp_touches_open(struct ompp_thread *t);
void ompp_touches_close(struct ompp_thread *t);

/* Notes that the thread's innermost node changes.  By the thread itself.  HOT: some 10 instructions when there was no
 * fault. */
void ompp_touches_boundary(struct ompp_thread *t);

/* Returns 1 when first touches are looked for. */
int ompp_touches_are_on(void);

/* The first takes the lock under which faults are taken, first touches are decided, and data/touched.h is written, the
 * second gives it back.  The first returns 0, or -1 when the kernel tells no faults, when another thread does not give
 * the lock back, or when this thread has it. */
int ompp_touches_hold(void);
void ompp_touches_let_go(void);

/* Takes the faults of all threads, after another thread that is just doing so. */
void ompp_touches_drain(void);

/* Does the same for a report.  Returns 0, or -1 when that thread does not end, or is this one in the middle of it. */
int ompp_touches_finish(void);

/* For the helper (hardware.h): the first lists the rings to wait for, and returns how many; the second takes the faults
 * of all threads when a ring is a quarter full. */
uint32_t ompp_touches_list(struct pollfd *files);
void ompp_touches_drain_full(const struct pollfd *files, uint32_t n);

/* Says that memory is libompp's own, so that its pages do not count. */
void ompp_touches_own(const void *memory, size_t n_bytes);

/* Tells that the process is about to fork: from then on pages are copied when they are written. */
void ompp_touches_before_fork(void);

/* In the child of a fork(): the first is called for each of the parent's threads, which are not there any more, and
 * then the second for the child's only one. */
void ompp_touches_after_fork(struct ompp_thread *t);
void ompp_touches_restart(struct ompp_thread *t);

#endif
