/*
 * Findings: all findings of a profile, the most severe first: which property holds where, the figures that show it, and
 * what to try.  They are made once a report; the views show all of them, or the worst ones.
 */
#ifndef OMPP_FINDINGS_H
#define OMPP_FINDINGS_H

#include "reports/findings/finding.h"

struct ompp_findings {
	struct ompp_finding *list;
	size_t n;       /* at least as severe as the threshold; those without a time come last */
	size_t n_below; /* how many hold but are less severe */
	int64_t least;  /* the threshold in 10^-9 */
};

/* Finds all findings of the profile, in the analysis's arena.  The threshold is that of the report's options
 * (property_min); --region and --top choose nothing here.  Returns 0 or -ENOMEM. */
int ompp_findings(const struct ompp_analysis *a, struct ompp_findings *findings);

/* Returns where the finding is, "LOOP a.c (12-16)" or "the whole program", in the arena; NULL without memory. */
const char *ompp_finding_place(const struct ompp_analysis *a, const struct ompp_finding *finding);

#endif
