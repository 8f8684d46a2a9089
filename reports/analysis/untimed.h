/*
 * Untimed: the standard errors of times of regions of which only some visits were timed (runtime/core/storm.h).
 *
 * Their times, and the exclusive times of the regions around them, are estimates with a standard error.  Errors of
 * different call paths and rows do not depend on each other.
 */
#ifndef OMPP_ANALYSIS_UNTIMED_H
#define OMPP_ANALYSIS_UNTIMED_H

#include "reports/analysis/analysis.h"

/* Were some visits not timed: of the program, of a call path, of what is directly below it? */
int ompp_untimed_any(const struct ompp_profile *profile); /* a->has_untimed, where there is an analysis */
int ompp_untimed_at(const struct ompp_profile *profile, uint32_t node);
int ompp_untimed_below(const struct ompp_analysis *a, uint32_t node);

/* Returns the standard error of incl_ns of a cell: of a lock, of what is not its body. */
int64_t ompp_untimed_incl_error_ns(enum ompp_construct construct, const struct ompp_cell *cell);

/* Return the standard errors of a call path's inclusive and exclusive wall-clock time; 0 where all visits were timed,
 * OMPP_MISSING when they are not known. */
int64_t ompp_untimed_wall_error_ns(const struct ompp_analysis *a, uint32_t node);
int64_t ompp_untimed_exclusive_error_ns(const struct ompp_analysis *a, uint32_t node);

/* Returns the lower bound of a time (97.5 % confidence): the time less two errors, at least 0; 0 when the error is
 * missing. */
int64_t ompp_untimed_least_ns(int64_t ns, int64_t error_ns);

#endif
