/*
 * Init: makes the analysis of a profile, part after part.  It is the only file that knows all parts.
 */
#ifndef OMPP_ANALYSIS_INIT_H
#define OMPP_ANALYSIS_INIT_H

#include "reports/analysis/analysis.h"
#include "reports/analysis/report_options.h"

/* Fills in the analysis, whose memory is the arena.  Returns 0, -ENOMEM, or -EINVAL for an unknown sort. */
int ompp_analysis_init(struct ompp_analysis *a, const struct ompp_profile *profile,
                       const struct ompp_report_options *options, struct ompp_arena *arena);

#endif
