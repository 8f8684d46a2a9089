/*
 * Rank waits: tables of how long calls of MPI waited for other ranks, by region, and of the clocks of the ranks where
 * these are not one.
 */
#ifndef OMPP_RANK_WAITS_H
#define OMPP_RANK_WAITS_H

#include "reports/tables/view.h"

/* Puts them, and what they mean.  Returns 0 or -errno. */
int ompp_put_rank_waits(const struct ompp_analysis *a, struct ompp_sheet *sheet);

#endif
