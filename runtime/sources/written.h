/*
 * Written: which pages of the process's private memory were written since the kernel was asked last, by any thread,
 * with hooks or without, and by system calls.
 *
 * The kernel protects pages against writing by userfaultfd's asynchronous mode (Linux 6.7), and lifts the protection
 * itself at the first write: no signal, no event, and system calls work.  PAGEMAP_SCAN tells which pages have lost it,
 * and protects them again.
 *
 * The file must stay open as long as pages are watched.  A fork's child has the memory without the watch.
 */
#ifndef OMPP_SOURCES_WRITTEN_H
#define OMPP_SOURCES_WRITTEN_H

#include <stddef.h>
#include <stdint.h>

/* Memory between two addresses, of which the second is not included. */
struct ompp_span {
	uintptr_t lo, hi;
};

struct ompp_written {
	int fd, pagemap; /* -1 when they are not open */
	int has_reads;   /* 1 when fresh memory that is only read counts as written: the kernel has no page of zeros */
	uint64_t fault_ns; /* what the first write to a protected page took, in memory of its own */
};

/* Gets ready, and tries it with memory of its own.  Returns 0; or -errno, and then *why is a constant text that says
 * what this machine lacks.  COLD. */
int ompp_written_open(struct ompp_written *w, const char **why);

/* Ends the watch on all memory. */
void ompp_written_close(struct ompp_written *w);

/* Begins to watch the memory between two addresses.  Returns 0 or -errno, as where the program watches it itself. */
int ompp_written_watch(const struct ompp_written *w, uintptr_t lo, uintptr_t hi);

enum ompp_written_pages {
	OMPP_WRITTEN_SINCE, /* those that were written since they were last asked for */
	OMPP_WRITTEN_EVER /* all that have memory of their own: in memory that was not watched they were written, too */
};

/* Finds pages between *lo and hi, and counts from now on what is written there.  It finds at most `most` spans of them,
 * and moves *lo behind what it has looked at.  Returns how many; -EPERM when there is memory that is not watched, or
 * another -errno. */
int ompp_written_scan(const struct ompp_written *w, uintptr_t *lo, uintptr_t hi, enum ompp_written_pages what,
                      struct ompp_span *spans, size_t most);

#endif
