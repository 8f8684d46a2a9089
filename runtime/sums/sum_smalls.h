/*
 * Smalls: names of variables that are too small for objects of their own, as many as a profile has: of those with most
 * samples, first touches or used parts of pages.
 */
#ifndef OMPP_SUMS_SUM_SMALLS_H
#define OMPP_SUMS_SUM_SMALLS_H

#include <stdint.h>

#include "runtime/base/arena.h"

struct ompp_smalls_named {
	uint64_t *counts;   /* by number (small.h); that of 0 is of no variable */
	const char **names; /* the same; "" of those that are not named */
	uint32_t n;
};

/* Makes a count for each variable that has a number so far, all 0.  Returns 0 or -ENOMEM. */
int ompp_smalls_count(struct ompp_smalls_named *smalls, struct ompp_arena *arena);

/* Names the OMPP_MOST_SMALL with the largest counts.  Returns 0 or -ENOMEM. */
int ompp_smalls_name(struct ompp_smalls_named *smalls, struct ompp_arena *arena);

#endif
