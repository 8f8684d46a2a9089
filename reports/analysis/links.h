/*
 * Links: the tree of call paths.  The profile names the parent of each node; this adds children, siblings, levels,
 * teams, and the nodes of one region.
 */
#ifndef OMPP_ANALYSIS_LINKS_H
#define OMPP_ANALYSIS_LINKS_H

#include "reports/analysis/analysis.h"

/* Fills in first_child, next_sibling, level, team, same_first, same_next and sums.  Returns 0 or -ENOMEM. */
int ompp_analysis_link(struct ompp_analysis *a);

#endif
