/*
 * Trace: writes memory accesses, first touches, blocks of memory and changes of regions to a file beside the report
 * (OMPP_TRACE=1), in the form of reports/flow/code.h.
 *
 * Samples come in small batches, when the NUMA nodes of their pages are known (memory/sample.h), from any thread.  Each
 * batch is written at once, so that a process that is killed leaves all that it has written; other events wait for the
 * next batch, or a tenth of a second.  As the report's name is not known before its end, the file first has one of its
 * own, with the process's number.  Between two blocks it is closed, so that the program meets no descriptor of ours,
 * and cannot close one that we then write to.
 */
#ifndef OMPP_COLLECT_TRACE_H
#define OMPP_COLLECT_TRACE_H

/* Begins to write events when OMPP_TRACE asks for it.  COLD. */
void ompp_trace_start(void);

/* Gives the file the name of the reports, if they have one, and says it.  Later events go there, too. */
void ompp_trace_name(void);

/* Lets a forked child have a file of its own. */
void ompp_trace_after_fork(void);

#endif
