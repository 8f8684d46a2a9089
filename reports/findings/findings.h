/*
 * Findings: all findings of a profile: which property holds where, the figures that show it, what to try, and an upper
 * bound of what the run would save.  Order: first by the gain; then those with a cost but an unknown gain, by severity;
 * then those that rest on counts.  They are computed once per report; each view shows all of them, or the first ones.
 */
#ifndef OMPP_FINDINGS_H
#define OMPP_FINDINGS_H

#include "reports/findings/finding.h"

struct ompp_findings {
	struct ompp_finding *list;
	size_t n;                   /* those whose cost or gain reaches the threshold */
	size_t n_below;             /* how many properties hold but are below the threshold */
	struct ompp_finding *below; /* these, in the same order; their number is 0 */
	int64_t together_ns; /* how much shorter the run would be at most without all that are listed; OMPP_MISSING when
	                        no gain is known */
	int is_short;        /* 1 when the run was too short to tell what the machine did to it */
	uint32_t unsure_region; /* where the work of threads differs, by so many thousandths of the longest, in too
	                           short a */
	int64_t unsure_milli;   /* time to tell it from a slow processor; 0: nowhere by more than the threshold */
	int64_t least;          /* the threshold in 10^-9 */
};

/* Finds all findings of the profile, in the analysis's arena.  The threshold is that of the report's options
 * (property_min); --region and --top choose nothing here.  Returns 0 or -ENOMEM. */
int ompp_findings(const struct ompp_analysis *a, struct ompp_findings *findings);

/* Finds those about ranks alone, for an analysis that has only their efficiencies.  Later calls of ompp_findings()
 * return these.  Returns 0 or -ENOMEM. */
int ompp_findings_of_ranks(const struct ompp_analysis *a, const struct ompp_mpi_outside *mpi);

/* Adds "Without it the run would be at most 0.300 s (3.0 %) shorter."; where that is not known it says so. */
void ompp_finding_say_gain(const struct ompp_analysis *a, const struct ompp_finding *finding, struct ompp_text *t);

/* Returns where the finding is, "LOOP a.c (12-16)" or "the whole program", in the arena; NULL without memory. */
const char *ompp_finding_location(const struct ompp_analysis *a, const struct ompp_finding *finding);

#endif
