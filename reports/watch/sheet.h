/*
 * Sheet: one sample of what is watched, as columns with names, units and numbers, either just read or from a recording;
 * and the interface of the sinks that take samples: text, recordings, CSV.
 */
#ifndef OMPP_SHEET_H
#define OMPP_SHEET_H

#include <stddef.h>
#include <stdint.h>

#include "reports/sensors/watch.h"

struct ompp_sheet_column {
	const char *sensor, *event, *unit, *what, *of;
	const char *source;     /* NULL: all sources together */
	int is_gauge, is_share; /* is_share: per cent of the column before it (sheet_share.h) */
	double scale;
	double limit; /* the most that it can be, in its unit (of a counter: a second); 0: not known */
	size_t meter; /* of what is read now: its number; of a recording: the sensor's */
	/* the sample */
	int is_known;
	double number;      /* in steps of the scale: the growth of a counter, or a gauge */
	int64_t elapsed_ns; /* in which a counter grew */
};

struct ompp_sheet {
	struct ompp_sheet_column *columns;
	size_t n, room;
	unsigned int generation; /* changes with the columns */
	int64_t time_ns;         /* of the sample, since the start */
	uint64_t n_missed;       /* intervals that ended before this sample without one, as the watcher came too late */
};

/* In which region each thread of the program was at a sample, and whether it waited there. */
struct ompp_sheet_threads {
	int64_t time_ns;
	const char **regions; /* names of those in which a thread is */
	size_t n_regions;
	int *in;         /* by thread: the number of its region; -1: in none */
	int *is_waiting; /* by thread */
	size_t n;
};

struct ompp_recording_info;

/* A consumer of samples.  Functions return 0, or -1 to end the watching.  Members may be NULL. */
struct ompp_sink {
	int (*start)(void *context, const struct ompp_recording_info *info); /* called for each recording in a file */
	int (*sample)(void *context, const struct ompp_sheet *sheet);
	int (*threads)(void *context, const struct ompp_sheet_threads *threads); /* called when a thread has moved */
	int (*label)(void *context, const char *text, int64_t time_ns);
	int (*pause)(void *context, int is_paused, int64_t time_ns);
	int (*end)(void *context, int64_t time_ns);
	void *context;
};

/* Allocates n columns, all 0.  Returns 0 or -ENOMEM. */
int ompp_sheet_start(struct ompp_sheet *sheet, size_t n);
void ompp_sheet_free(struct ompp_sheet *sheet);

/* Fills the sheet with what the watch has read last. */
int ompp_sheet_fill(struct ompp_sheet *sheet, const struct ompp_watch *watch, int64_t time_ns);

/* Returns the value to show, in the column's unit: for a counter the growth per second, for a gauge its value. is_known
 * is 0 when it is missing. */
double ompp_sheet_shown(const struct ompp_sheet_column *column, int *is_known);

/* Writes a number with four digits or more, and "-" for one that is not known. */
void ompp_sheet_number(int is_known, double number, char *text, size_t n_text);

#endif
