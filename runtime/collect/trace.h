/*
 * Trace: writes memory accesses, first touches, blocks of memory and changes of regions to a file beside the report
 * (OMPP_TRACE=1), in the format of reports/flow/code.h.
 *
 * Samples come in small batches, when the NUMA nodes of their pages are known (memory/sample.h), from any thread.  Each
 * batch is written at once, so that a killed process loses little; other events wait for the next batch, or a tenth of
 * a second.  As the report's name is not known before its end, the file first has a temporary name with the process id.
 * Between two blocks it is closed, so that the program sees no descriptor of ours, and cannot close one that we then
 * write to.
 */
#ifndef OMPP_COLLECT_TRACE_H
#define OMPP_COLLECT_TRACE_H

/* Starts writing events if OMPP_TRACE requests it.  COLD. */
void ompp_trace_start(void);

/* Renames the file after the reports, if they have a name, and prints its name.  Later events go there, too. */
void ompp_trace_name(void);

/* Prepares a forked child to write its own file. */
void ompp_trace_after_fork(void);

#endif
