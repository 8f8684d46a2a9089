/*
 * Gains: what the run would gain by one change of a region, as the variants of the longest path tell (span/variant.h).
 */
#ifndef OMPP_SUMS_SUM_GAINS_H
#define OMPP_SUMS_SUM_GAINS_H

#include <stdint.h>

#include "reports/profile/profile.h"
#include "runtime/base/arena.h"
#include "runtime/host/clock.h"

/* Fills in the profile's gains, and how long the run is by the same model.  Returns 0 or -ENOMEM.
 * index: the profile's index of a region, by id up to n_ids */
int ompp_collect_gains(struct ompp_profile *profile, struct ompp_arena *arena, const uint32_t *index, uint32_t n_ids,
                       struct ompp_clock_rate rate);

#endif
