/*
 * Roof use: how long a region's operations and bytes would take at each of the machine's roofs, and which roof bounds
 * it.
 */
#ifndef OMPP_BOUNDS_ROOF_USE_H
#define OMPP_BOUNDS_ROOF_USE_H

#include "reports/bounds/roofline.h"

/* Fills in peak, scalar, division and stream of a region's line; nothing without roofs. */
void ompp_roof_uses(const struct ompp_analysis *a, struct ompp_roofline_line *line);

/* Fills in nearest, share and ceiling from these.
 * delayed: share of the run without a processor, 10^-9 */
void ompp_roof_judge(struct ompp_roofline_line *line, int64_t delayed);

#endif
