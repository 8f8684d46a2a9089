/*
 * Report: a profile shown as text or CSV, and saved.  The door to everything in reports/ for the runtime and for ompp.
 *
 * Runs inside the measured process too, also after a fatal signal: memory from the arena, output by write(2), integer
 * arithmetic; no malloc, stdio, locale or floating point, and less than 16 KiB of stack.
 */
#ifndef OMPP_REPORT_H
#define OMPP_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include "reports/profile/profile.h"

/* What to show.  All zero: everything, as text. */
struct ompp_report_options {
	const char *views;              /* comma list of view names; NULL or "": all */
	const char *format;             /* NULL or "": text */
	const char *region;             /* comma list: R00004, file, file:line, a name; NULL or "": all regions */
	const char *sort;               /* of the regions: "id", "time", "count", "name"; NULL or "": id, with top time */
	uint32_t    top;                /* the first n regions, and findings; 0: all */
	int64_t     property_min;       /* the least severity of a finding, in 10^-9 of the run; 0: all */
	const char *object;             /* comma list of data objects; NULL or "": all */
	const char *columns;            /* of data objects in text: "main", "all"; NULL or "": main */
};

/* Write a report to fd.  views: comma list of summary, general, overview, callgraph, flat, callpath, overhead,
 * data, properties, or all ("": all); format: text (or plain), csv, csv-raw, without regard to case; unknown views are left out,
 * and when none is known all are shown.
 * 0; -EINVAL for an unknown format; -ENOMEM; what write(2) said. */
int ompp_report_write(const struct ompp_profile *profile, const char *views, const char *format, int fd,
                      struct ompp_arena *scratch);

/* The same with a choice of regions; -EINVAL also for an unknown sort. */
int ompp_report_show(const struct ompp_profile *profile, const struct ompp_report_options *options, int fd,
                     struct ompp_arena *scratch);

/* Save the profile.  0 or -errno. */
int ompp_profile_write(const struct ompp_profile *profile, int fd, struct ompp_arena *scratch);

/* File name suffix of a format, "txt" or "csv"; NULL: no such format. */
const char *ompp_report_suffix(const char *format);

/* Names: of view i, after the last "all", of format i, of sort i, of choice i of columns; NULL past the last. */
const char *ompp_report_view(size_t i);
const char *ompp_report_format(size_t i);
const char *ompp_report_sort(size_t i);
const char *ompp_report_columns(size_t i);

#endif
