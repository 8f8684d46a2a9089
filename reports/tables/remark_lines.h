/*
 * Remark, lines: a line of the summary of a run that counted stores, but did not look for cache lines that threads
 * share.
 */
#ifndef OMPP_REMARK_LINES_H
#define OMPP_REMARK_LINES_H

#include "reports/analysis/analysis.h"

/* Returns "sum: 2 threads store into it. Do they share cache lines? ompp run --sharing=1"; NULL where that was looked
 * for, where it could not cost much, or without memory. */
const char *ompp_remark_lines(const struct ompp_analysis *a);

#endif
