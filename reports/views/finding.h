/*
 * Finding: what the files finding_*.c, a theme each, find; findings.c calls them one after another.
 */
#ifndef OMPP_FINDING_H
#define OMPP_FINDING_H

#include "reports/views/findings.h"

struct ompp_finder {
	const struct ompp_analysis *analysis;
	struct ompp_finding        *list;  size_t n, have;
	int                         rc;         /* -ENOMEM once something did not fit; then the rest is ignored */
};

/* Add a finding, of which number and severity are not filled in; one that costs nothing is left out. */
void ompp_find(struct ompp_finder *finder, const struct ompp_finding *finding);

/* Waiting of threads for each other, and work that one thread does alone while the others wait. */
void ompp_find_waiting(struct ompp_finder *finder);

#endif
