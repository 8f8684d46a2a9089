/*
 * Show ranks findings: the findings about ranks, of which only sums were kept (ranks/rank_sums.h).
 */
#ifndef OMPP_SHOW_RANKS_FINDINGS_H
#define OMPP_SHOW_RANKS_FINDINGS_H

#include "reports/analysis/report_options.h"
#include "reports/ranks/rank_sums.h"

/* Prints them as the section Properties does.  first: the profile of the first rank; size: of the MPI run.  Returns 0
 * or -errno. */
int ompp_show_ranks_findings(const struct ompp_rank_sums *s, const struct ompp_profile *first, int size,
                             const struct ompp_report_options *options, struct ompp_arena *arena);

#endif
