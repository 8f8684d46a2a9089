/*
 * Rank offset: how one clock differs from another, by moments that are known to lie before or after each other.  Only
 * in the program ompp.
 */
#ifndef OMPP_RANK_OFFSET_H
#define OMPP_RANK_OFFSET_H

#include <stddef.h>
#include <stdint.h>

/* What is known of what has to be added to a clock when it shows at_ns: at least that, or at most. */
struct ompp_offset_bound {
	int64_t at_ns, offset_ns;
	int is_most;
};

/* offset_ns at middle_ns, and by how much it grows; error_ns: the most by which it can be wrong while there are bounds.
 * OMPP_MISSING for all three: it is not known. */
struct ompp_offset {
	int64_t middle_ns, offset_ns, drift_ppb, error_ns;
};

/* Finds the offset of a clock.  Clocks drift by less than 200 ppm against each other. */
struct ompp_offset ompp_offset_of(const struct ompp_offset_bound *bounds, size_t n);

/* Returns what the other clock shows, where the offset is known. */
int64_t ompp_offset_apply(const struct ompp_offset *o, int64_t ns);

#endif
