/*
 * Pages: writes which pages each thread used to a file beside the report, ….ompp.pages (OMPP_PAGES), in the format of
 * reports/flow/code.h.
 *
 * A thread hands over its uses of an interval (memory/page_use.h), which are written at once; adjacent pages with the
 * same use form one event.  On machines with several NUMA nodes the kernel is queried for the nodes of the pages
 * (move_pages(2), which moves nothing here), as long as that takes at most 2 % of the time.
 *
 * Pages that the kernel reports as written (memory/page_writes.h), with hooks or without, are separate events, as the
 * thread and the number of stores are not known.
 */
#ifndef OMPP_COLLECT_PAGE_TRACE_H
#define OMPP_COLLECT_PAGE_TRACE_H

/* Starts writing if OMPP_PAGES requests it.  COLD. */
void ompp_pages_start(void);

/* Writes the remaining uses of all threads, after the end of the run and before its report is made.  Later uses are
 * left out. */
void ompp_pages_close(void);

/* Renames the file after the reports, if they have a name, and prints its name. */
void ompp_pages_name(void);

/* Prepares a forked child to write its own file. */
void ompp_pages_after_fork(void);

#endif
