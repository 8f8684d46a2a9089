/*
 * Span, limit: gives the longest path up where it costs too much.
 *
 * With OMPP_SPAN=auto it is looked for in programs that have not asked for it.  So each thread counts its events, and
 * compares from time to time what these took more than without the path with the thread's processor time.  Where that
 * is more than a fiftieth, the path is over for all threads and the rest of the process: OMPP_MODE_SPAN is cleared for
 * ever, and nothing of the path is reported.
 *
 * Each event reads the mode, and may read it again.  A thread that has seen that the path is over sees that at all
 * later events, and so does each thread that goes on behind it: what they did on the path before is what happened up to
 * some moment, and nobody looks at it.  Their records stay, as another thread may be in an event that hands its own to
 * them.  A child that is forked later has no path, either.
 */
#ifndef OMPP_SPAN_SPAN_LIMIT_H
#define OMPP_SPAN_SPAN_LIMIT_H

#include "runtime/base/relaxed.h"
#include "runtime/host/cpu.h"
#include "runtime/span/span.h"
#include "runtime/terms/mode.h"

/* Whether the path may be given up; written at the start. */
extern int ompp_span_is_limited __attribute__((visibility("hidden")));

/* Whether the process was forked by one that had given the path up. */
extern int ompp_span_was_over __attribute__((visibility("hidden")));

/* What a pair of events takes more on the path, in ticks × 256; 0 where that is not known, and nothing is given up.
 * Written when costs are measured. */
extern uint64_t ompp_span_more_fp __attribute__((visibility("hidden")));

/* Reads the thread's processor time; for tests another one. */
extern int (*ompp_span_read)(struct ompp_cpu_reading *reading) __attribute__((visibility("hidden")));

/* Begins a thread's count.  COLD. */
void ompp_span_limit_begin(struct ompp_span *s, uint64_t now);

/* Returns whether the path was given up. */
static inline int ompp_span_is_over(void)
{
	return ompp_span_is_limited && !(OMPP_LOAD(&ompp_modes) & OMPP_MODE_SPAN);
}

#endif
