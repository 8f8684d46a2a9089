/*
 * Dump: when a report is made, and where it goes.
 *
 * Final once, incremental any number of times, one at a time.  On every path, also in a signal handler: an arena,
 * open(2) and write(2).  Nothing here fails towards the program; what goes wrong is one line on stderr.
 */
#ifndef OMPP_COLLECT_DUMP_H
#define OMPP_COLLECT_DUMP_H

/* The run is over; signal: what ended it, or 0.  Only the first call makes a report; a call from another thread
 * waits for it.  A forked child that measured nothing makes none. */
void ompp_dump_final(int signal);

/* A report of the run so far. */
void ompp_dump_incremental(void);

/* As final, but the program may come back. */
void ompp_dump_before_exec(void);

/* Start the thread that makes a report every OMPP_DUMP_INTERVAL, if that is asked for. */
void ompp_dump_start(void);

/* In a forked child: files of its own, no thread. */
void ompp_dump_after_fork(void);

#endif
