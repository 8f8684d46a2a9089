/*
 * Nest gain: how much time an execution of a nest of loops saves by counting many accesses at once, compared with a
 * hook for each.  This decides which version of the nest runs next (data/tally.h).
 */
#ifndef OMPP_ADAPTERS_NEST_GAIN_H
#define OMPP_ADAPTERS_NEST_GAIN_H

#include "runtime/data/tally.h"

/* What calls cost, in halves of a hook: one that counts a run; one for a site, which counts an access, too; one that
 * ends a site, with what made it ready, and the same for a site that was not visited. */
enum { OMPP_RUN_COST = 3, OMPP_SITE_COST = 2, OMPP_END_COST = 12, OMPP_UNVISITED_COST = 3 };

/* Adds what counting n times m accesses saves beside hooks, in halves of a hook, less what it costs. */
static inline void ompp_nest_gain(size_t n, size_t m, int cost)
{
	ompp_access_gain += (int64_t)(n * m) - cost;
}

#endif
