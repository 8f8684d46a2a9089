/*
 * Pattern: what a pattern of accesses means, given the counts of its object in its region, and the sentence about it.
 */
#ifndef OMPP_PATTERN_H
#define OMPP_PATTERN_H

#include "reports/analysis/analysis.h"
#include "reports/analysis/traffic.h"

/* What the threads did with the pattern's object in its region, without the regions below it. */
struct ompp_pattern_sums {
	int64_t values[OMPP_N_TRAFFIC];
	enum ompp_traffic_kind level; /* the first modelled level; OMPP_N_TRAFFIC without one */
	int64_t line_bytes;           /* size of its lines; 0 without such a level */
	int64_t all_misses;           /* misses of that level by all memory in the whole program */
	int64_t all_accesses;         /* loads and stores likewise */
};

/* Is the pattern worth reporting?  False sharing, of whichever kind, always is.  Another pattern is if it makes at
 * least a quarter of the object's misses there; a walk with a stride must also have about twice as many misses as the
 * same bytes would have if they were contiguous.  The profile must have objects. */
int ompp_pattern_holds(const struct ompp_analysis *a, const struct ompp_pattern *pattern,
                       struct ompp_pattern_sums *sums);

/* Returns what share of the run's accesses n transfers of lines would be if each took the longest possible time.  The
 * time of the run itself is that of its hooks, in which transfers hardly show. */
int64_t ompp_pattern_transfer_share(int64_t n, int64_t all_accesses);

/* Returns "a: 262 144 of 262 144 modelled L1 misses in threads 0, 1 are 2 048 bytes from the one before", in the arena;
 * "" without memory. */
const char *ompp_pattern_say(const struct ompp_analysis *a, const struct ompp_pattern *pattern,
                             const struct ompp_pattern_sums *sums);

#endif
