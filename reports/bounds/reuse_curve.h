/*
 * Reuse curve: the misses of caches of any size, from the distances between accesses to a line.  The caches are one
 * thread's own, fully associative, and LRU.
 */
#ifndef OMPP_BOUNDS_REUSE_CURVE_H
#define OMPP_BOUNDS_REUSE_CURVE_H

#include "reports/analysis/analysis.h"

enum { OMPP_REUSE_STEPS = 96, OMPP_REUSE_LEVELS = 3 };

/* The size of the smallest cache for which misses are known. */
#define OMPP_REUSE_LEAST_BYTES INT64_C(16384)

/* The distances of some accesses, the least first. */
struct ompp_reuse_curve {
	int64_t accesses, cold; /* all of them; those that were the first ones of their thread to the line */
	size_t n;
	struct {
		int64_t from, to; /* to is OMPP_MISSING where there is no bound */
		int64_t n, half;  /* the second is of half of the lines */
	} steps[OMPP_REUSE_STEPS];
};

/* Adds the distances of an object, or of all data for OMPP_NONE, in a region, in OMPP_NONE outside of all. */
void ompp_reuse_add(const struct ompp_profile *profile, uint32_t region, uint32_t object,
                    struct ompp_reuse_curve *curve);

/* Returns how many accesses miss in a cache of so many bytes, without first accesses, and in *error by how much the two
 * halves of the sample differ, as standard error of their sum. */
int64_t ompp_reuse_misses(const struct ompp_reuse_curve *curve, int64_t bytes, int64_t *error);

/* Returns the least size of a cache that has nine of ten misses of the smallest one as hits; OMPP_MISSING where these
 * are fewer than one of 100 accesses, or no size is enough. */
int64_t ompp_reuse_needs(const struct ompp_reuse_curve *curve);

/* Returns the size of the machine's cache of level 0, 1 or 2; 0 when it is not known. */
int64_t ompp_reuse_level(const struct ompp_profile *profile, unsigned int level);

#endif
