/*
 * Page writes: which pages of its private memory the process writes, over time, including writes without hooks
 * (OMPP_PAGES=uffd).
 *
 * A helper thread queries the kernel (sources/written.h) at the end of each interval.  It has its own file descriptor
 * table, so that the program does not see its descriptors and cannot close them, and no child inherits them.  Memory
 * that the program maps is watched at once if its call is seen, else from the next interval on; pages written before
 * that are recognised by being present.  The kernel cannot merge watched mappings with unwatched ones, so that there
 * are more mappings; when these reach a quarter of the kernel's limit, the helper ends.
 *
 * The first write to a watched page costs a page fault.  If queries and faults would take more than a fifth of the
 * process's time, intervals become longer.
 *
 * Not seen are reads, shared memory, what devices write into pinned memory (registered buffers of io_uring), and pages
 * that are freed before their interval is over.  Of the threads that write to a page in an interval, the first one is
 * known where the kernel reports page faults (page_writers.h).
 */
#ifndef OMPP_MEMORY_PAGE_WRITES_H
#define OMPP_MEMORY_PAGE_WRITES_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/memory/page_writers.h"

/* Pages, [lo, hi), that were written between two times of CLOCK_MONOTONIC. */
struct ompp_page_write {
	uintptr_t lo, hi;
	uint64_t since_ns, until_ns;
	struct ompp_page_writer by; /* the first writer of each of them */
};

/* Receives the written pages; called only by the helper thread. */
typedef void ompp_page_writes_take(const struct ompp_page_write *writes, size_t n);

/* Starts queries in intervals of this length.  Returns 0 when it works here; or -errno, and then *why is a constant
 * text.  COLD. */
int ompp_page_writes_start(uint64_t interval_ns, ompp_page_writes_take *take, const char **why);

/* Returns 1 when fresh memory that is only read counts as written, as some kernels do not report the zero page
 * separately. */
int ompp_page_writes_have_reads(void);

/* Returns 1 while memory is watched. */
int ompp_page_writes_are_on(void);

/* Makes the last query, and ends.  Returns 0, or -1 when the helper does not answer, or there is none. */
int ompp_page_writes_end(void);

/* Watches memory that the program has just mapped and not yet used, so that the kernel merges it with adjacent
 * mappings, as it does without us.  Other new memory (brk) is watched from the next query on, and remains a separate
 * mapping. */
void ompp_page_writes_map(uintptr_t lo, size_t n_bytes);

/* Ends at once, and stops watching all memory.
 * why: a constant text */
void ompp_page_writes_yield(const char *why);

/* Returns the reason when it has ended before the run, as a constant text; else NULL. */
const char *ompp_page_writes_broken(void);

/* Returns how many mappings could not be watched. */
uint64_t ompp_page_writes_unwatched(void);

/* Returns the length of the longest of the intervals that were made longer; 0 when none was. */
uint64_t ompp_page_writes_longest_ns(void);

/* Resets the state in a forked child, which has no helper. */
void ompp_page_writes_after_fork(void);

#endif
