/*
 * Page sum: adds up over the run how each page was used, by object and by region, for the report (OMPP_PAGES).
 *
 * The holder of the trace of pages (pages.c) adds what threads hand over, whether the trace has room for it or not.
 * The last report reads it when nobody adds any more.  It takes about 60 bytes for each page and region that uses it.
 */
#ifndef OMPP_SUMS_PAGE_SUM_H
#define OMPP_SUMS_PAGE_SUM_H

#include <stdint.h>

#include "runtime/memory/page_use.h"
#include "runtime/sums/sum_merge.h"

/* Adds how a thread used a page in an interval, which has this number. */
void ompp_page_sum_add(const struct ompp_thread *t, const struct ompp_page_use *use, uint64_t interval);

/* Says that pages will be added that the kernel tells to be written, and adds one: in an interval, as a part of a
 * cover, by the thread that was in this node, or by nobody knows whom (NULL).  The report takes those that no hook has
 * seen a store to.  By the holder, too. */
void ompp_page_sum_expect_written(void);
void ompp_page_sum_written(uintptr_t page, uint32_t cover, const struct ompp_callnode *node, uint64_t interval);

/* Notes that all was added, and how it was found.  Without it the report has no pages. */
void ompp_page_sum_end(const char *method);

/* Returns 1 when the report has pages, of named objects or of none. */
int ompp_page_sum_any(void);

/* Fills in what the profile says of pages, when its objects are known.  Returns 0 or -ENOMEM. */
int ompp_collect_pages(struct ompp_merge *merge, struct ompp_profile *profile, const uint32_t *region_index);

/* Forgets all, in a forked child. */
void ompp_page_sum_after_fork(void);

#endif
