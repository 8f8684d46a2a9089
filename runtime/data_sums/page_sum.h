/*
 * Page sum: adds up over the run how each page was used, by object and by region, for the report (OMPP_PAGES).
 *
 * The holder of the page trace (collect/page_trace.c) adds what threads hand over, whether or not the trace has room
 * for it.  The last report reads the sums after the last addition.  They need about 60 bytes for each page and region
 * that uses it.
 */
#ifndef OMPP_DATA_SUMS_PAGE_SUM_H
#define OMPP_DATA_SUMS_PAGE_SUM_H

#include <stdint.h>

#include "runtime/memory/page_use.h"
#include "runtime/sums/sum_merge.h"

/* Adds a thread's use of a page in the interval with this number. */
void ompp_page_sum_add(const struct ompp_thread *t, const struct ompp_page_use *use, uint64_t interval);

/* The first announces pages that the kernel reports as written; the second adds one: in an interval, as a part of a
 * cover, by the thread that was in this node; node is NULL when the thread is not known.  The report uses those for
 * which no hook has seen a store.  Called by the holder, too. */
void ompp_page_sum_expect_written(void);
void ompp_page_sum_written(uintptr_t page, uint32_t cover, const struct ompp_callnode *node, uint64_t interval);

/* Records that all pages were added, and the method.  Without this call the report has no pages. */
void ompp_page_sum_end(const char *method);

/* Returns 1 when the report has pages, of named objects or of none. */
int ompp_page_sum_any(void);

/* Fills in the profile's data on pages, when its objects are known.  Returns 0 or -ENOMEM. */
int ompp_collect_pages(struct ompp_merge *merge, struct ompp_profile *profile, const uint32_t *region_index);

/* Discards all sums, in a forked child. */
void ompp_page_sum_after_fork(void);

#endif
