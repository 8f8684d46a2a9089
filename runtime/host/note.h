/*
 * Notes: what the reader of a report must know (a loss, a source that failed, a bad value).
 *
 * A note is a constant kind with a count, or a text made once at start-up.  Counting is lock-free and allowed
 * everywhere (HOT excepted: hot code counts in its own thread and hands the sum over when a report is made).
 */
#ifndef OMPP_HOST_NOTE_H
#define OMPP_HOST_NOTE_H

#include <stddef.h>
#include <stdint.h>

/* How all notes end that say that work and span were given up. */
#define OMPP_NOTE_SPAN_REASON "as it cost more than 2 % of a thread's time; OMPP_SPAN=1 goes on with it"

enum ompp_note_kind {
	OMPP_NOTE_LOST_MEMORY,    /* events for which there was no memory for a new call-tree node */
	OMPP_NOTE_LOST_DEPTH,     /* events deeper than the frame stack */
	OMPP_NOTE_LOST_THREAD,    /* threads that could not be registered */
	OMPP_NOTE_LOST_REGION,    /* regions that could not be registered */
	OMPP_NOTE_LOST_TEAM,      /* threads whose team could not be found, or rank beyond its slots */
	OMPP_NOTE_LEFT,           /* regions left by return, goto, exception, cancellation */
	OMPP_NOTE_OPEN,           /* regions still open at the report */
	OMPP_NOTE_STRAY,          /* exits without an enter */
	OMPP_NOTE_FOLDED,         /* visits deeper than OMPP_MAX_DEPTH */
	OMPP_NOTE_NEGATIVE,       /* intervals that were negative, as clocks of two processors differ */
	OMPP_NOTE_NO_HANDLE,      /* events whose handle was never assigned */
	OMPP_NOTE_LOCKS,          /* lock calls beyond the lock table */
	OMPP_NOTE_LOST_ACCESS,    /* accesses of threads that could not be registered, or without memory */
	OMPP_NOTE_LOST_RANGE,     /* ranges of data that could not be set */
	OMPP_NOTE_LOST_LINE,      /* stores and loads for which the search for shared lines had no room */
	OMPP_NOTE_UNWATCHED_LINE, /* times it did not begin to watch a line for loads, for lack of room */
	OMPP_NOTE_LOST_SAMPLE,    /* samples and first touches that could not be added up */
	OMPP_NOTE_LATE_SAMPLE,    /* samples of the processor that came too late to tell where they belong */
	OMPP_NOTE_DROPPED_SAMPLE, /* samples for which the kernel's ring had no room */
	OMPP_NOTE_THROTTLED,      /* times the kernel stopped sampling for a while */
	OMPP_NOTE_BAD_SAMPLE,     /* records of the kernel that made no sense */
	OMPP_NOTE_CUT_SAMPLE,     /* pieces of SPE's packets with some missing */
	OMPP_NOTE_OWN_BARRIER,    /* regions that wait at their end without events */
	OMPP_NOTE_SWITCHED,       /* threads inside regions when another switched measuring off or on */
	OMPP_NOTE_NO_RANK,        /* no omp_get_thread_num in the program: ranks in order of arrival */
	OMPP_NOTE_LOST_TOUCH,     /* page faults that the kernel's ring had no room for */
	OMPP_NOTE_BUSY_RING,      /* rings that could not be read for a report, as another reader did not end */
	OMPP_NOTE_BUSY_SAMPLE,    /* samples that could not be added up for a report, for the same reason */
	OMPP_NOTE_TRACE_FULL,     /* events that are not in the trace, as it had reached its limit */
	OMPP_NOTE_TRACE_LOST,     /* events that could not be written there */
	OMPP_NOTE_PAGES_FULL,     /* uses of pages that are not in the trace, as it had reached its limit */
	OMPP_NOTE_LOST_WRITER,    /* page faults of written pages that there was no room for */
	OMPP_NOTE_LOST_HOLDER,    /* waits for locks whose pair of waiter and holder found no room */
	OMPP_NOTE_LOST_REQUEST,   /* requests of MPI whose bytes are not known: no room, or freed before they were
	                             complete */
	OMPP_NOTE_UNEVEN_LOOP,    /* loops in others that have only their own order, as steps or lengths vary */
	OMPP_NOTE_SPAN_OVER,      /* tasks that were created until the longest path was given up */
	OMPP_NOTE_DEEP_LOOP,      /* loops in two others, of which the outer one is never moved */
	OMPP_NOTE_N
};

/* Returns the sentence of a kind. */
const char *ompp_note_text(enum ompp_note_kind kind);

/* Adds n to a kind's count. */
void ompp_note_add(enum ompp_note_kind kind, uint64_t n);
uint64_t ompp_note_count(enum ompp_note_kind kind);

/* Forgets all notes; for a forked child. */
void ompp_note_reset(void);

/* Adds a note with a text, which is copied.  There are at most 32 of them, of 256 bytes each; further ones are dropped,
 * and the last one counts them.  Called only at start-up and on cold paths. */
void ompp_note_say(const char *text);
/* Does the same, unless a note already begins with the first n_bytes of the text. */
void ompp_note_say_once(const char *text, size_t n_bytes);
int ompp_note_n_said(void);
const char *ompp_note_said(int i);

#endif
