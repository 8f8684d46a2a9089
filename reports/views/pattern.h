/*
 * Pattern: what a pattern of accesses means beside the counts of its object in its region, and the sentence about it.
 */
#ifndef OMPP_PATTERN_H
#define OMPP_PATTERN_H

#include "reports/views/analysis.h"
#include "reports/views/traffic.h"

/* What the threads did with the pattern's object in its region, without the regions below it. */
struct ompp_pattern_sums {
	int64_t                values[OMPP_N_TRAFFIC];
	enum ompp_traffic_kind level;           /* the first modelled level; OMPP_N_TRAFFIC: none */
	int64_t                line_bytes;      /* of its lines; 0: none */
	int64_t                all_misses;      /* of that level, of all memory in the whole program */
};

/* Is it worth a word?  Always for false sharing.  For the others, if they are a quarter of the object's misses there, or
 * more; for a walk by a stride, if they are also twice as many as all its bytes there, side by side, would need.  There are
 * objects. */
int ompp_pattern_holds(const struct ompp_analysis *a, const struct ompp_pattern *pattern, struct ompp_pattern_sums *sums);

/* "a: 262 144 of 262 144 modelled L1 misses in threads 0, 1 are 2 048 bytes from the one before"; in the arena, "" without
 * memory. */
const char *ompp_pattern_say(const struct ompp_analysis *a, const struct ompp_pattern *pattern,
                             const struct ompp_pattern_sums *sums);

#endif
