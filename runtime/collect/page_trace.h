/*
 * Pages: writes which pages each thread used to a file beside the report, ….ompp.pages (OMPP_PAGES), in the form of
 * reports/flow/code.h.
 *
 * A thread hands over what it used in an interval (memory/page_use.h), which is written at once; neighbours that were
 * used alike are one event.  On machines with several NUMA nodes the kernel is asked where the pages are
 * (move_pages(2), which moves nothing here), as long as that takes at most a fiftieth of the time.
 *
 * Pages that the kernel tells to be written (memory/page_writes.h), with hooks or without, are events of their own, as
 * the thread and the number of stores are not known.
 */
#ifndef OMPP_COLLECT_PAGE_TRACE_H
#define OMPP_COLLECT_PAGE_TRACE_H

/* Begins to write when OMPP_PAGES asks for it.  COLD. */
void ompp_pages_start(void);

/* Writes what threads have used since, when the run has ended and before its report is made.  What is used later is
 * left out. */
void ompp_pages_close(void);

/* Gives the file the name of the reports, if they have one, and says it. */
void ompp_pages_name(void);

/* Lets a forked child have a file of its own. */
void ompp_pages_after_fork(void);

#endif
