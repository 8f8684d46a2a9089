/*
 * Smalls: the names of small variables (without their own objects) for the profile, which has only those with most
 * samples, first touches or used parts of pages.
 */
#ifndef OMPP_DATA_SUMS_SUM_SMALLS_H
#define OMPP_DATA_SUMS_SUM_SMALLS_H

#include <stdint.h>

#include "runtime/base/arena.h"

struct ompp_smalls_named {
	uint64_t *counts;   /* by number (small.h); [0] is for no variable */
	const char **names; /* the same; "" for those that are not named */
	uint32_t n;
};

/* Allocates a count, 0 at first, for each variable that has a number so far.  Returns 0 or -ENOMEM. */
int ompp_smalls_count(struct ompp_smalls_named *smalls, struct ompp_arena *arena);

/* Names the OMPP_MOST_SMALL with the largest counts.  Returns 0 or -ENOMEM. */
int ompp_smalls_name(struct ompp_smalls_named *smalls, struct ompp_arena *arena);

#endif
