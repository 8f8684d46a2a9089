/*
 * Holders: makes the profile's holders of locks.
 */
#ifndef OMPP_SUMS_SUM_HOLDERS_H
#define OMPP_SUMS_SUM_HOLDERS_H

#include <stdint.h>

#include "reports/profile/profile.h"
#include "runtime/base/arena.h"
#include "runtime/host/clock.h"

/* Sets index[id], of the ids up to n_ids, to 0 for the regions that got locks for which others waited: those of tests
 * (trylock) have no visits. */
void ompp_sum_holders_want(uint32_t *index, uint32_t n_ids);

/* Adds the pairs of waiters and holders to the profile.  Returns 0 or -ENOMEM.
 * index: the profile's index of a region, by id up to n_ids */
int ompp_collect_holders(struct ompp_profile *profile, struct ompp_arena *arena, const uint32_t *index, uint32_t n_ids,
                         struct ompp_clock_rate rate);

#endif
