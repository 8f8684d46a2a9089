/*
 * Remark, work: lines of the summary about the time that is work, which findings do not explain: the functions that do
 * it, whether memory slows it, and which measurement would tell more.
 */
#ifndef OMPP_REMARK_WORK_H
#define OMPP_REMARK_WORK_H

#include "reports/analysis/analysis.h"

/* Returns "serial part: 97 +- 3 % in f (a.c:4); see hot" where that is a tenth of the run or more, else the same of the
 * region with most samples; NULL when nothing is known, or without memory. */
const char *ompp_remark_hot(const struct ompp_analysis *a);

/* Returns "memory (model): 94 % of the L3 misses in R00002, 1 in 8.0 accesses; see data"; NULL without
 * modelled caches. */
const char *ompp_remark_memory(const struct ompp_analysis *a);

/* Returns "94 % work: memory? kinst --access, ompp run --cache=1, ompp report --times=FILE" where nothing says what the
 * work waits for; else NULL. */
const char *ompp_remark_next(const struct ompp_analysis *a);

/* Returns "sum: 2 threads store to it: shared lines? ompp run --sharing=1"; NULL where that was looked
 * for, where it could not cost much, or without memory. */
const char *ompp_remark_lines(const struct ompp_analysis *a);

#endif
