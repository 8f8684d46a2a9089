/*
 * Fewer misses: what findings about other layouts and other orders of loops say alike (bounds/relayout_gain.h).
 */
#ifndef OMPP_FEWER_MISSES_H
#define OMPP_FEWER_MISSES_H

#include "reports/bounds/relayout_gain.h"
#include "reports/findings/finding.h"

/* Returns what other layouts and orders would save; NULL when none was tried, or without memory, which fails the
 * finder. */
const struct ompp_relayout_gains *ompp_fewer_misses(struct ompp_finder *finder);

/* Are these clearly fewer misses than others? */
int ompp_misses_are_fewer(int64_t misses, int64_t others);

/* Returns the misses of all memory that the other way saves, as a share of all misses of that level. */
int64_t ompp_fewer_misses_weight(const struct ompp_profile *profile, const struct ompp_relayout_gain *gain);

/* Returns the time of the region in the plain run × a part of it in 10^-9; 0 without a plain run. */
int64_t ompp_fewer_misses_ns(const struct ompp_analysis *a, uint32_t region, int64_t part);

/* Adds "L1 256 times, and not 1 024 times (75.0 % less; modelled)". */
void ompp_say_fewer_misses(struct ompp_text *t, const struct ompp_relayout_gain *gain);

/* Adds from where to where the region would be that many times as fast, where that is known. */
void ompp_say_faster(struct ompp_text *t, const struct ompp_relayout_gain *gain);

#endif
