/*
 * Dump: decides when a report is made, and where it goes.
 *
 * The final report is made once, incremental ones any number of times, and only one at a time.  A report can be made
 * anywhere, also in a signal handler, as it needs only an arena, open(2) and write(2).  Errors never affect the
 * program: they are reported in one line on stderr.
 */
#ifndef OMPP_COLLECT_DUMP_H
#define OMPP_COLLECT_DUMP_H

/* Makes the final report.  Only the first call does so; calls from other threads wait for it.  A forked child that
 * measured nothing makes none.
 * signal: the signal that ended the run, or 0 */
void ompp_dump_final(int signal);

/* Makes an incremental report of the run so far. */
void ompp_dump_incremental(void);

/* Makes a report like the final one before exec.  The run is not over after it, as exec may fail. */
void ompp_dump_before_exec(void);

/* Starts the thread that makes a report every OMPP_DUMP_INTERVAL, if the user asked for it. */
void ompp_dump_start(void);

/* Ends that thread for good, and waits for its end. */
void ompp_dump_end_thread(void);

/* Prepares a forked child: its reports get their own files, and it has no thread for incremental ones. */
void ompp_dump_after_fork(void);

#endif
