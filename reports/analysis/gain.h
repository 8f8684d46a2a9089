/*
 * Gain: what the run would gain by one change of a region, as an interval.
 *
 * The longest path tells by how much a chain of stretches would be shorter that is as long as the run, but for what is
 * not seen (runtime/span/variant.h).  The interval has room for that: ompp-span(7) has the formulas.
 */
#ifndef OMPP_ANALYSIS_GAIN_H
#define OMPP_ANALYSIS_GAIN_H

#include "reports/analysis/analysis.h"

struct ompp_gain_room {
	int64_t per_mille; /* of a gain: what the path does not explain of the run */
	int64_t least_ns;  /* at least: what two runs differ by */
	int64_t chunks_ns; /* by how much less a gain may be: what the last chunks of loops may be waited for */
	int64_t spread_ns; /* what handing out tasks and iterations in another order may bring or cost */
};

struct ompp_gain_interval {
	int64_t least_ns, most_ns; /* least_ns is 0 where nothing is certain */
};

/* Returns the room that gains of this run need.  per_mille is OMPP_MISSING where the path explains less than half of
 * the run: then no gain is known. */
struct ompp_gain_room ompp_gain_room(const struct ompp_analysis *a);

/* Returns the interval of a gain of the profile. */
struct ompp_gain_interval ompp_gain_interval(const struct ompp_gain_room *room, int64_t gain_ns);

/* Returns the room that what a loop would gain needs whose iterations were handed out on demand. */
struct ompp_gain_room ompp_gain_room_of_chunks(const struct ompp_gain_room *room, const struct ompp_gain *gain);

/* Does a change gain something for certain? */
int ompp_gain_is_certain(const struct ompp_gain_room *room, int64_t gain_ns);

/* Returns what is known of a region, or of what is in none (OMPP_NONE); NULL for nothing. */
const struct ompp_gain *ompp_gain_of(const struct ompp_profile *profile, uint32_t region);

#endif
