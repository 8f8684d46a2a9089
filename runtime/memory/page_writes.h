/*
 * Page writes: which pages of its private memory the process writes, over time, whoever does it (OMPP_PAGES=uffd).
 *
 * A helper thread asks the kernel (sources/written.h) when each interval is over.  It has a table of files of its own,
 * so that the program meets none of its descriptors and cannot close them, and no child gets them.  Memory that the
 * program maps is watched at once where its call is seen, else from the next interval on; what was written before is
 * told by its having memory.  Mappings that are watched and those that are not yet stay apart, so that there are more
 * of them; when there are a quarter of those that the kernel allows, the helper ends.
 *
 * The first write to a watched page costs a page fault.  Where looks and these faults would take more than a fifth of
 * the process's time, intervals are longer.
 *
 * Not seen are reads, shared memory, what devices write into pinned memory (registered buffers of io_uring), and pages
 * that are given back before their interval is over.  Of the threads that write to a page in an interval the first one
 * is known where the kernel tells page faults (page_writers.h).
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
	struct ompp_page_writer by; /* who wrote to each of them first */
};

/* Takes what was written, by the helper thread alone. */
typedef void ompp_page_writes_take(const struct ompp_page_write *writes, size_t n);

/* Begins to look in intervals of this length.  Returns 0 when it works here; or -errno, and then *why is a constant
 * text.  COLD. */
int ompp_page_writes_start(uint64_t interval_ns, ompp_page_writes_take *take, const char **why);

/* Returns 1 when fresh memory that is only read counts as written, as some kernels have no page of zeros. */
int ompp_page_writes_have_reads(void);

/* Returns 1 while memory is watched. */
int ompp_page_writes_are_on(void);

/* Looks for the last time, and ends.  Returns 0, or -1 when the helper does not answer, or there is none. */
int ompp_page_writes_end(void);

/* Watches memory that the program has just mapped, and that nobody has used yet; so the kernel joins it to its
 * neighbours, as it does without us.  What comes by other ways (brk) is watched from the next look on, and stays a
 * mapping of its own. */
void ompp_page_writes_map(uintptr_t lo, size_t n_bytes);

/* Ends at once, and unwatches all memory.
 * why: a constant text */
void ompp_page_writes_yield(const char *why);

/* Returns why it has ended before the run did, as a constant text; NULL when it has not. */
const char *ompp_page_writes_broken(void);

/* Returns how many mappings could not be watched. */
uint64_t ompp_page_writes_unwatched(void);

/* Returns the length of the longest of the intervals that were made longer; 0 when none was. */
uint64_t ompp_page_writes_longest_ns(void);

/* Begins anew in a forked child, where the helper is not. */
void ompp_page_writes_after_fork(void);

#endif
