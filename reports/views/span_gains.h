/*
 * Span, gains: the tables of the section Parallelism that say what the run would gain by one change.
 */
#ifndef OMPP_VIEWS_SPAN_GAINS_H
#define OMPP_VIEWS_SPAN_GAINS_H

#include "reports/tables/view.h"

/* Puts how much of the longest path is waiting for each critical section, lock and ordered region, where it is known.
 * Returns 0 or -errno. */
int ompp_put_lock_gains(const struct ompp_analysis *analysis, struct ompp_sheet *sheet);

/* Puts the changes that gain something for certain, those that gain most first; or what is missing for that.  Returns 0
 * or -errno. */
int ompp_put_gains(const struct ompp_analysis *analysis, struct ompp_sheet *sheet);

#endif
