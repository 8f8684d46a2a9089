/*
 * Sum, span: the work of all threads, and the longest path of the run, by call path.
 */
#ifndef OMPP_SUMS_SUM_SPAN_H
#define OMPP_SUMS_SUM_SPAN_H

#include "runtime/host/clock.h"
#include "runtime/sums/sum_merge.h"

/* Makes room for the spans of a merge, where the longest path is looked for.  The reporting thread's stretch ends now.
 * Returns 0 or -ENOMEM. */
int ompp_spans_start(struct ompp_merge *merge);

/* Adds what is known at a node, whose time is shown at a call path. */
void ompp_merge_span(struct ompp_merge *merge, const struct ompp_callnode *node, uint32_t path);

/* Fills in the profile's numbers and its list of spans.  Returns 0 or -ENOMEM. */
int ompp_collect_spans(struct ompp_merge *merge, struct ompp_profile *profile, struct ompp_clock_rate rate);

/* Returns how many tasks were created until the longest path was given up (span/span_limit.h), which the profile lacks
 * therefore; 0 where it has it, or nobody looked for it, or a note says that it was given up before the first one, or
 * before the process was forked. */
uint64_t ompp_spans_given_up(const struct ompp_profile *profile);

#endif
