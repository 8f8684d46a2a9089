/*
 * Page writers: the thread that wrote to a page first since the kernel protected it (page_writes.h), the node where it
 * was, and its processor.
 *
 * The first write to a protected page causes a page fault, which the kernel records in the ring of its thread
 * (touch.h).  The reader of these rings stores the faults here; the helper that queries written pages removes them
 * together with the pages.  Further writes to the page in the same interval cause no fault, and are not seen.
 */
#ifndef OMPP_MEMORY_PAGE_WRITERS_H
#define OMPP_MEMORY_PAGE_WRITERS_H

#include <stdint.h>

struct ompp_callnode;
struct ompp_thread;

struct ompp_page_writer {
	const struct ompp_thread *thread; /* NULL when it is not known */
	const struct ompp_callnode *node;
	uint32_t cpu; /* UINT32_MAX when it is not known */
};

/* Starts storing faults, where the kernel reports them, and stops it.  COLD. */
void ompp_page_writers_start(void);
void ompp_page_writers_end(void);

/* Returns 1 when faults are stored. */
int ompp_page_writers_are_on(void);

/* ---- by the helper alone ---- */

/* Reads the faults that the kernel has reported so far.  Then pages may be looked up, in any order. */
void ompp_page_writers_take(void);

/* Finds the first writer of the page before the kernel was queried for it; the query lasted from asked_ns to
 * answered_ns. */
struct ompp_page_writer ompp_page_writers_find(uintptr_t page, uint64_t asked_ns, uint64_t answered_ns);

/* Removes the faults from before this time, and those that were found. */
void ompp_page_writers_forget(uint64_t before_ns);

/* In the child of a fork(): removes all faults, which were the parent's. */
void ompp_page_writers_after_fork(void);

#endif
