/*
 * Selection: which regions a report shows, and in which order.
 */
#ifndef OMPP_ANALYSIS_SELECTION_H
#define OMPP_ANALYSIS_SELECTION_H

#include "reports/analysis/analysis.h"
#include "reports/analysis/report_options.h"

/* Fills in named, shown and order.  Returns 0, -ENOMEM, or -EINVAL for an unknown sort. */
int ompp_analysis_select(struct ompp_analysis *a, const struct ompp_report_options *options);

/* Does a word of n bytes mean the region?  It may be its number as in R00004, its name, its file, or file:line; the
 * file may be given with its folders or without. */
int ompp_region_is_meant(const struct ompp_region *region, const char *word, size_t n);

#endif
