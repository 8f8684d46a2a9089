/*
 * Waits: what the threads' arrivals at barriers become in the profile.
 */
#ifndef OMPP_COLLECT_WAITS_H
#define OMPP_COLLECT_WAITS_H

#include "reports/profile/profile.h"
#include "runtime/base/clock.h"
#include "runtime/collect/merge.h"

/* Room for the waits of all sums.  0 or -ENOMEM. */
int ompp_collect_waits_start(const struct ompp_merge *merge, struct ompp_profile *profile);

/* The sums of this cell: cells come in ascending order. */
void ompp_collect_wait(struct ompp_profile *profile, uint32_t cell, const struct ompp_merge_sums *sums,
                       struct ompp_clock_rate rate);

#endif
