/*
 * Source lines: what is known of each line of a source file.
 *
 * Times, counters and accesses are those of the regions that begin at the line, of all threads and call paths. Samples,
 * first touches and processor time are of the line itself.
 */
#ifndef OMPP_LINES_SOURCE_LINES_H
#define OMPP_LINES_SOURCE_LINES_H

#include "reports/analysis/sample_stats.h"
#include "reports/analysis/usage.h"
#include "reports/lines/region_sums.h"

struct ompp_source_line {
	int has_region, has_traffic, has_sample;
	int64_t exec_ns, waiting_ns, n_exec;
	int64_t exec_error_ns, waiting_error_ns; /* due to visits that were not timed */
	int64_t *metrics;                        /* NULL without a region */
	int64_t traffic[OMPP_N_TRAFFIC];
	struct ompp_sampled_sum sampled;
	int64_t n_pages; /* that it touched first */
	uint64_t n_hot;  /* samples of its processor time */
	int64_t hot_ns;
	const char *text; /* without the end of the line */
};

struct ompp_source_lines {
	struct ompp_source_line *list; /* by number - 1 */
	size_t n;
};

/* Divides the text of a file, which it changes, into lines, and adds up what is known of each.
 *
 *   path: the file's, as the profile has it
 *
 *   regions: of the profile, those that are shown
 *
 *   usage: of its data objects; NULL when no accesses were counted
 *
 * Returns 0 or -ENOMEM. */
int ompp_source_lines(const struct ompp_region_sums *regions, const struct ompp_usage *usage, const char *path,
                      char *text, struct ompp_source_lines *lines);

/* Is the object one of those that are shown? */
int ompp_source_object_is_shown(const struct ompp_analysis *a, uint32_t object);

#endif
