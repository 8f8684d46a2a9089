/*
 * Finding: what the files finding_*.c, a theme each, find; findings.c calls them one after another.
 */
#ifndef OMPP_FINDING_H
#define OMPP_FINDING_H

#include "reports/views/classes.h"
#include "reports/views/findings.h"
#include "reports/views/say.h"

struct ompp_finder {
	const struct ompp_analysis *analysis;
	struct ompp_classes         classes;
	int64_t                     off_ns;     /* of all threads, time without a processor that was taken away: at work, and
	                                           while others waited for that */
	int                         is_busy;    /* 1: that is so much that it may be why threads come late */
	struct ompp_finding        *list;  size_t n, have;
	int                         rc;         /* -ENOMEM once something did not fit; then the rest is ignored */
};

/* Add a finding, of which number and severity are not filled in; one that costs nothing is left out. */
void ompp_find(struct ompp_finder *finder, const struct ompp_finding *finding);

/* The same for what is counted and of which nobody knows the time: ns, severity and gain are missing, and its weight selects
 * it. */
void ompp_find_counted(struct ompp_finder *finder, const struct ompp_finding *finding);

/* The sum of a region's cells at all call paths. */
struct ompp_cell ompp_region_sum(const struct ompp_analysis *a, uint32_t region);

/* The themes.  Processors come first: the others look at is_busy. */
void ompp_find_processors(struct ompp_finder *finder);  /* taken away, too few, not used */
void ompp_find_serial(struct ompp_finder *finder);      /* work of one thread alone */
void ompp_find_teams(struct ompp_finder *finder);       /* making, starting and ending teams */
void ompp_find_barriers(struct ompp_finder *finder);    /* waiting at barriers, explicit and at the end of constructs */
void ompp_find_data(struct ompp_finder *finder);        /* false sharing, strides, pages first written by others */
void ompp_find_entries(struct ompp_finder *finder);     /* waiting to get in: critical, locks, atomics */

#endif
