/*
 * Access sample: samples by the access hooks (OMPP_SAMPLE=hook), on any machine, without rights.
 *
 * Each thread skips a random number of accesses (base/geometric.h), and samples the next one: its latency is measured
 * with a load of ours just before it happens (sources/probe.h).  All accesses that hooks count take part, so the
 * samples, times their period, estimate those counts; OMPP_SAMPLE_KIND and OMPP_SAMPLE_LATENCY select which ones are
 * kept.  The cost of samples is summed in sample_ticks of ompp_callnode, and subtracted from its time (sums/spent.c).
 *
 * An atomic operation is a store that locks its line.  Atomic and volatile accesses are not timed, as our load would
 * add an access that the program does not make.  Neither are accesses to pages that are not mapped yet: the program's
 * own access has to cause the page fault, as the load or store that it is.
 */
#ifndef OMPP_ACCESS_ACCESS_SAMPLE_H
#define OMPP_ACCESS_ACCESS_SAMPLE_H

#include <stdint.h>

#include "runtime/base/text.h"
#include "runtime/sources/source.h"
#include "runtime/terms/option.h"

/* Starts sampling by hooks, including those of libraries that are loaded later.  Returns 0, or -errno and the reason in
 * `why`.  COLD. */
int ompp_access_sample_start(const struct ompp_options *options, struct ompp_why *why);

/* Adds notes to the coming report about what was lost or could not be done. */
void ompp_access_sample_notes(void);

/* In a forked child: samples use its own seed (sources/sampling.h) from now on. */
void ompp_access_sample_after_fork(void);

/* Appends a description of the latencies by which levels are distinguished.  Returns 0 when no hook samples. */
int ompp_access_sample_describe(struct ompp_text *text);

enum { OMPP_WINDOWS = 64, OMPP_WINDOW_BITS = 18, OMPP_WINDOW_PAGES = 64 };

/* Pages of the program that are known to be mapped: one bit for each of 64 pages. */
struct ompp_window {
	uintptr_t number; /* address >> OMPP_WINDOW_BITS, plus 1 */
	uint64_t mapped;
};

/* A thread's data for its samples; used only by the thread, except that a report reads the counts. */
struct ompp_access_sampling {
	uint64_t random;
	uint32_t n_alone;    /* accesses up to and including the next sampled one, which are counted one by one */
	uint64_t n_waits;    /* number of such accesses so far */
	uint64_t wait_ticks; /* the cost of the last one */
	uint64_t last_ticks; /* the cost of the last sample that was not interrupted */
	struct ompp_window windows[OMPP_WINDOWS];
};

#endif
