/*
 * Written: finds which pages of the process's private memory were written since the last query, by any thread, with
 * hooks or without, and by system calls.
 *
 * The kernel write-protects pages in userfaultfd's asynchronous mode (Linux 6.7), and removes the protection itself at
 * the first write: without a signal or an event, and also in system calls.  PAGEMAP_SCAN finds the pages that have lost
 * it, and protects them again.
 *
 * The userfaultfd must stay open as long as pages are watched.  A forked child has the memory, but it is not watched
 * there.
 */
#ifndef OMPP_SOURCES_WRITTEN_H
#define OMPP_SOURCES_WRITTEN_H

#include <stddef.h>
#include <stdint.h>

/* The memory [lo, hi). */
struct ompp_span {
	uintptr_t lo, hi;
};

struct ompp_written {
	int fd, pagemap;   /* -1 when they are not open */
	int has_reads;     /* 1 when fresh memory that is only read counts as written, as the kernel has no zero page */
	uint64_t fault_ns; /* the cost of the first write to a protected page, measured on our own memory */
};

/* Opens it, and tests it on our own memory.  Returns 0; or -errno, and then *why is a constant text about what this
 * machine lacks.  COLD. */
int ompp_written_open(struct ompp_written *w, const char **why);

/* Ends the watch on all memory. */
void ompp_written_close(struct ompp_written *w);

/* Starts watching the memory [lo, hi).  Returns 0 or -errno, e.g. when the program watches it itself. */
int ompp_written_watch(const struct ompp_written *w, uintptr_t lo, uintptr_t hi);

enum ompp_written_pages {
	OMPP_WRITTEN_SINCE, /* pages that were written since the last query */
	OMPP_WRITTEN_EVER /* all pages with memory of their own; in memory that was not watched these were written, too
	                   */
};

/* Finds pages in [*lo, hi), and protects them again.  It finds at most `most` spans of them, and moves *lo to the end
 * of the scanned memory.  Returns how many; -EPERM when there is memory that is not watched, or another -errno. */
int ompp_written_scan(const struct ompp_written *w, uintptr_t *lo, uintptr_t hi, enum ompp_written_pages what,
                      struct ompp_span *spans, size_t most);

#endif
