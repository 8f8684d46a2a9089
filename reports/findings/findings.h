/*
 * Findings: all findings of a profile: which property holds where, the figures that show it, what to try, and by how
 * much the run would be shorter at the most.  What would save most comes first; then what costs time, but nobody knows
 * what it would save, the most severe first; then what was counted.  They are made once a report; the views show all of
 * them, or the first ones.
 */
#ifndef OMPP_FINDINGS_H
#define OMPP_FINDINGS_H

#include "reports/findings/finding.h"

struct ompp_findings {
	struct ompp_finding *list;
	size_t n;       /* those that cost or save at least the threshold */
	size_t n_below; /* how many hold but are less severe */
	int64_t least;  /* the threshold in 10^-9 */
};

/* Finds all findings of the profile, in the analysis's arena.  The threshold is that of the report's options
 * (property_min); --region and --top choose nothing here.  Returns 0 or -ENOMEM. */
int ompp_findings(const struct ompp_analysis *a, struct ompp_findings *findings);

/* Adds "Without it the run would be at most 0.300 s (3.0 %) shorter."; where that is not known it says so. */
void ompp_finding_say_gain(const struct ompp_analysis *a, const struct ompp_finding *finding, struct ompp_text *t);

/* Returns where the finding is, "LOOP a.c (12-16)" or "the whole program", in the arena; NULL without memory. */
const char *ompp_finding_place(const struct ompp_analysis *a, const struct ompp_finding *finding);

#endif
