/*
 * Report: a profile shown in some format.  It is the entry point to reports/ for the runtime and for ompp.
 *
 * It runs inside the measured process, too, even after a fatal signal: its memory comes from the arena, its output goes
 * by write(2), its arithmetic is with integers.  It uses no malloc, stdio, locale or floating point, and less than 16
 * KiB of stack.
 */
#ifndef OMPP_REPORT_H
#define OMPP_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include "reports/analysis/analysis.h"
#include "reports/analysis/report_options.h"
#include "reports/profile/profile.h"
#include "reports/tables/table.h"

/* Writes a report to fd.  Returns 0; -EINVAL for an unknown format; -ENOMEM; or what write(2) said.
 *
 *   views: a comma list of names in terms/view.def, or "all", which "" means, too.  Unknown names are left out; when
 *     none is known all are shown.
 *
 *   format: a name in terms/writer.def, in small or capital letters */
int ompp_report_write(const struct ompp_profile *profile, const char *views, const char *format, int fd,
                      struct ompp_arena *scratch);

/* Does the same with a choice of regions and objects.  Returns -EINVAL also for an unknown sort. */
int ompp_report_show(const struct ompp_profile *profile, const struct ompp_report_options *options, int fd,
                     struct ompp_arena *scratch);

/* Does the same with what ompp_analysis_init() made of the profile and the options. */
int ompp_report_put(const struct ompp_analysis *analysis, const struct ompp_report_options *options, int fd);

/* Has view i of ompp_report_view() something to show? */
int ompp_report_has_view(const struct ompp_analysis *analysis, size_t i);

/* Writes a table that the caller filled to fd.  Returns the same as ompp_report_write(). */
int ompp_report_table(const char *format, const struct ompp_table *table, int fd, struct ompp_arena *scratch);

/* Is there a format of this name or alias, and is it one for people? */
int ompp_report_has_format(const char *format);
int ompp_report_is_text(const char *format);

/* Returns the set of formats that a comma list asks for: bit i is the format of ompp_report_format(i).  Formats that
 * have one suffix would be one file, so the set has the last of them alone.  Unknown words are left out. */
unsigned int ompp_report_formats(const char *list);

/* Returns the suffix of the files of format i, "txt"; NULL past the last. */
const char *ompp_report_suffix(size_t i);

/* Return the name of view i (behind the last comes "all"), of format i, of sort i, and of choice i of columns; NULL
 * past the last. */
const char *ompp_report_view(size_t i);
const char *ompp_report_format(size_t i);
const char *ompp_report_sort(size_t i);
const char *ompp_report_columns(size_t i);

#endif
