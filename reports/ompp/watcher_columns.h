/*
 * Watcher columns: samples as lines of text, under headings.
 */
#ifndef OMPP_WATCHER_COLUMNS_H
#define OMPP_WATCHER_COLUMNS_H

#include <stdint.h>
#include <stdio.h>

#include "runtime/sensors/watch.h"

struct ompp_columns {
	unsigned int generation; /* of the watch's columns */
	int *widths;
	size_t n;
};

/* Are the columns others than those of the last heading? */
int ompp_columns_are_new(const struct ompp_columns *columns, const struct ompp_watch *watch);

/* Prints the heading: sensors, events, sources where there are any, units.  Returns how many lines it has, or -1
 * without memory. */
int ompp_columns_heading(struct ompp_columns *columns, const struct ompp_watch *watch, FILE *out);

/* Prints a sample: of counters what they grew a second, of gauges what they are. */
void ompp_columns_line(const struct ompp_columns *columns, const struct ompp_watch *watch, int64_t time_ns, FILE *out);

/* Writes a number with four digits or more, and "-" for one that is not known. */
void ompp_columns_number(int is_known, double number, char *text, size_t n_text);

/* Returns what a column's numbers are: known is 0 when the number is missing. */
double ompp_columns_shown(const struct ompp_watch *watch, const struct ompp_watch_column *column, int *is_known);

void ompp_columns_free(struct ompp_columns *columns);

#endif
