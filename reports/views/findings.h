/*
 * Findings: what costs the program time, the most severe first: which property holds where, the figures that show it,
 * and what to try.  Made once a report; the views show all of them or the worst.
 */
#ifndef OMPP_FINDINGS_H
#define OMPP_FINDINGS_H

#include "reports/views/analysis.h"

struct ompp_finding {
	const char *name;               /* of the property: "ImbalanceInParallelLoop" */
	uint32_t    number;             /* from 1, by severity; the report calls it P%05u, whatever is chosen to be shown */
	uint32_t    region;             /* index; OMPP_NONE: the whole program */
	int64_t     ns;                 /* what it costs: time of all threads; OMPP_MISSING: it was counted, not timed */
	int64_t     severity;           /* ns in 10^-9 of duration × threads; OMPP_MISSING */
	int64_t     weight;             /* what counts as severity where that is missing: a share of counts, in 10^-9 */
	int64_t     gain_ns;            /* by how much shorter the run would be at the most; OMPP_MISSING: not known */
	const char *evidence;           /* sentences with the figures; "" when the tables say it all */
	const char *advice;
};

struct ompp_findings {
	struct ompp_finding *list;  size_t n;   /* as severe as the threshold, or more; those without a time come last */
	size_t               n_below;           /* that hold, and are less severe */
	int64_t              least;             /* the threshold in 10^-9 */
};

/* All findings of the profile, in the analysis's arena.  The threshold is that of the report's options
 * (property_min), and --region and --top choose nothing here.  0 or -ENOMEM. */
int ompp_findings(const struct ompp_analysis *a, struct ompp_findings *findings);

/* "LOOP a.c (12-16)", or "the whole program"; in the arena, NULL without memory. */
const char *ompp_finding_place(const struct ompp_analysis *a, const struct ompp_finding *finding);

#endif
