/*
 * Page writers: which thread wrote to a page first since the kernel protected it (page_writes.h), where, and on which
 * processor.
 *
 * The first write to a protected page is a page fault, which the kernel tells to the thread that has it (touch.h).
 * Whoever takes the faults keeps them here; the helper that asks for written pages takes them away with the pages.
 * Further writes to the page in the same interval are no faults, and are not seen.
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

/* Begins to keep faults, where the kernel tells them, and ends it.  COLD. */
void ompp_page_writers_start(void);
void ompp_page_writers_end(void);

/* Returns 1 when they are kept. */
int ompp_page_writers_are_on(void);

/* ---- by the helper alone ---- */

/* Takes the faults that the kernel has told until now.  Pages may be asked for behind it, in any order. */
void ompp_page_writers_take(void);

/* Finds who wrote to the page first, before the kernel was asked for it, which took from asked_ns to answered_ns. */
struct ompp_page_writer ompp_page_writers_find(uintptr_t page, uint64_t asked_ns, uint64_t answered_ns);

/* Forgets the faults from before this time, and those that were found. */
void ompp_page_writers_forget(uint64_t before_ns);

/* In the child of a fork(): forgets all faults, which were of the parent. */
void ompp_page_writers_after_fork(void);

#endif
