/*
 * Access sample: samples by the access hooks (OMPP_SAMPLE=hook), on any machine, without rights.
 *
 * Each thread passes a number of accesses, drawn anew each time (base/geometric.h), and samples the next one: it is
 * timed by a load of ours just before it happens (sources/probe.h).  All accesses that hooks count take part, so the
 * samples, times their period, estimate those counts; OMPP_SAMPLE_KIND and OMPP_SAMPLE_LATENCY choose which ones are
 * kept.  What they take is summed in ompp_callnode's sample_ticks, and taken out of its time (sums/spent.c).
 *
 * An atomic operation is a store that locks its line.  Atomic and volatile accesses are not timed, as a load of ours
 * would be one more than the program has.  Neither are accesses to pages that are not mapped yet: the page fault has to
 * be the program's, and its first touch a load or a store as the program makes it.
 */
#ifndef OMPP_ACCESS_ACCESS_SAMPLE_H
#define OMPP_ACCESS_ACCESS_SAMPLE_H

#include <stdint.h>

#include "runtime/base/text.h"
#include "runtime/sources/source.h"
#include "runtime/terms/option.h"

/* Lets hooks sample from now on, those of libraries that come later, too.  Returns 0, or -errno and then why.  COLD. */
int ompp_access_sample_start(const struct ompp_options *options, struct ompp_why *why);

/* Says what was lost or could not be done since, as notes of the report that is about to be made. */
void ompp_access_sample_notes(void);

/* In a forked child: samples follow from its own seed (sources/sampling.h) from now on. */
void ompp_access_sample_after_fork(void);

/* Appends which latencies stand for which level of memory.  Returns 0 when no hook samples. */
int ompp_access_sample_describe(struct ompp_text *text);

enum { OMPP_WINDOWS = 64, OMPP_WINDOW_BITS = 18, OMPP_WINDOW_PAGES = 64 };

/* Pages of the program that were seen to be mapped: a bit each of 64 pages. */
struct ompp_window {
	uintptr_t number; /* address >> OMPP_WINDOW_BITS, plus 1 */
	uint64_t mapped;
};

/* What a thread needs for its samples; it alone uses them, and a report reads the counts. */
struct ompp_access_sampling {
	uint64_t random;
	uint32_t n_alone;    /* accesses up to the next sampled one, which is the last, that are made one by one */
	uint64_t n_waits;    /* those of them that there were so far */
	uint64_t wait_ticks; /* what the last such one took */
	uint64_t last_ticks; /* what the last sample took that was not interrupted */
	struct ompp_window windows[OMPP_WINDOWS];
};

#endif
