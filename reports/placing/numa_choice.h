/*
 * NUMA choice: where an object of a profile would best be (placing.h), from its spots and blocks.
 *
 * Profiles of older versions have no spots, but the range of addresses that each thread accessed; its accesses are then
 * assumed to be spread evenly over that range.
 */
#ifndef OMPP_NUMA_CHOICE_H
#define OMPP_NUMA_CHOICE_H

#include "reports/placing/places.h"
#include "reports/placing/placing.h"

/* Makes the choice for one object.  Returns 0 or -ENOMEM.
 * uses: indices of its uses, n of them */
int ompp_numa_choose(const struct ompp_places *places, uint32_t object, const uint32_t *uses, uint32_t n,
                     struct ompp_choice *choice);

#endif
