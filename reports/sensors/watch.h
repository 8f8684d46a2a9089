/*
 * Watch: all sensors of the machine, and the selected columns: each is an event of one source, or of all sources
 * together.
 *
 * They are selected by a list of patterns SENSOR:EVENT with * and ?; SENSOR alone means all its events; after @ comes a
 * pattern of sources, each of which then has a column of its own.  As sources come and go, so do columns.
 */
#ifndef OMPP_SENSORS_WATCH_H
#define OMPP_SENSORS_WATCH_H

#include <stddef.h>

#include "reports/sensors/meter.h"

enum { OMPP_WATCH_ALL = -1, OMPP_WATCH_PATTERNS = 256 };

struct ompp_watch_column {
	size_t meter, event;
	int source; /* or OMPP_WATCH_ALL */
};

struct ompp_watch {
	struct ompp_meter *meters;
	size_t n_meters;
	int watched, pid; /* the process that is watched, and the one that is read: ompp run's program, or the same */
	char *patterns[OMPP_WATCH_PATTERNS];
	size_t n_patterns;
	int is_discrete; /* each source has its own column even if the pattern has no @ */
	struct ompp_watch_column *columns;
	size_t n_columns, room_columns;
	unsigned int generation; /* changes with the columns */
	unsigned int seen;       /* sum of the meters' generations when the columns were made */
};

/* Opens all sensors, and then those of the user, up to NULL.
 * proc, sys: where /proc and /sys are;     pid: of the program to watch, or 0 */
int ompp_watch_open(struct ompp_watch *watch, const char *proc, const char *sys, int pid,
                    const struct ompp_sensor *const *more);
void ompp_watch_close(struct ompp_watch *watch);

/* Add a pattern, or remove all that are equal to one ("*": all).  The first returns 0; -ENOENT when no sensor has such
 * an event, -ENODEV when the machine lacks the sensor, or -ENOMEM; and why ("cause; what to do"). */
int ompp_watch_enable(struct ompp_watch *watch, const char *pattern, char *why, size_t n_why);
int ompp_watch_disable(struct ompp_watch *watch, const char *pattern, char *why, size_t n_why);

/* Makes the columns for the patterns and the current sources; does nothing if neither has changed. */
int ompp_watch_columns(struct ompp_watch *watch);

/* Reads all sensors that have a column. */
void ompp_watch_sample(struct ompp_watch *watch);
void ompp_watch_forget(struct ompp_watch *watch);

const struct ompp_sensor_event *ompp_watch_event(const struct ompp_watch *watch,
                                                 const struct ompp_watch_column *column);

/* Returns the name of a column's source; "all" for all together. */
const char *ompp_watch_source(const struct ompp_watch *watch, const struct ompp_watch_column *column);
struct ompp_meter_value ompp_watch_value(const struct ompp_watch *watch, const struct ompp_watch_column *column);
/* Returns the most that the value can be, in the event's unit (of a counter: a second), or 0. */
double ompp_watch_limit(const struct ompp_watch *watch, const struct ompp_watch_column *column);

/* Returns 1 when a column of these names fits a pattern, and 0 otherwise.
 * source: NULL for all together, which fits no pattern with @ */
int ompp_watch_fits(const char *pattern, const char *sensor, const char *event, const char *source);

/* Calls found() for each pattern of a comma list; commas between slashes belong to a name, as in cpu/event=1,umask=2/.
 * Stops at the first call that does not return 0, and returns its result. */
int ompp_watch_each_pattern(const char *list, int (*found)(void *context, const char *pattern), void *context);

#endif
