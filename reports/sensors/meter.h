/*
 * Meter: a sensor that is being read: its events and sources, the numbers of its last two samples, and what these say
 * of the time between.
 *
 * A counter's value is its growth between the two; it is missing if only one of them has the counter.  For a counter
 * that wraps, growth by half of its range or more is taken as a decrease (a device was reset, a CPU came back online),
 * and its value is missing.  The sum of all sources leaves out missing values, as sources come and go.
 */
#ifndef OMPP_SENSORS_METER_H
#define OMPP_SENSORS_METER_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/ompp_sensor.h"

/* PATIENCE: after so many samples without a number a source counts as gone, as a thread that has ended.  A column that
 * comes and goes makes a recording longer than one that is empty now and then. */
enum { OMPP_METER_WHY = 256, OMPP_METER_PATIENCE = 8 };

/* A value, in steps of the event's scale. */
struct ompp_meter_value {
	int is_known;
	double number;
};

struct ompp_meter {
	struct ompp_sensor_host host; /* the first member, as sensors get its address */
	const struct ompp_sensor *sensor;
	void *state;
	int is_open, is_watched;  /* watched: an event of it is wanted, possibly one that does not exist yet */
	char why[OMPP_METER_WHY]; /* when it is not open */
	struct ompp_sensor_event *events;
	char **sources;
	size_t n_events, n_sources;
	size_t room_events, room_sources; /* of the numbers, which are indexed by source and event */
	uint64_t *now, *before, *wraps;
	double *limits, *limits_each; /* by source and event; by event, of sources without one of their own; 0: none */
	unsigned char *is_now, *is_before, *is_met, *is_wanted; /* met: it was set once */
	unsigned char
		*n_silent; /* by source: how many samples in a row had no number of it, at most OMPP_METER_PATIENCE */
	int64_t now_ns, before_ns; /* times of the two samples; 0: not read yet */
	unsigned int generation;   /* changes with the events and sources */
	int next_source;           /* the source that is probably requested next */
};

/* Opens the sensor: is_open says whether the machine has it; if not, `why` says why. */
void ompp_meter_open(struct ompp_meter *meter, const struct ompp_sensor *sensor, const char *proc, const char *sys,
                     int pid);
void ompp_meter_close(struct ompp_meter *meter);

/* Sets whether an event is wanted; by default all are, except extra ones. */
void ompp_meter_want(struct ompp_meter *meter, size_t event, int is_wanted);

/* Does the source have the event?  CPUs have no number of forks, and what is gone has nothing. */
int ompp_meter_has(const struct ompp_meter *meter, size_t event, size_t source);

/* Reads the sensor once. */
void ompp_meter_sample(struct ompp_meter *meter);

/* Discards the samples, so that the next one is a new start (after a pause). */
void ompp_meter_forget(struct ompp_meter *meter);

/* Returns the time between the last two samples; 0 while there is one only. */
int64_t ompp_meter_elapsed_ns(const struct ompp_meter *meter);

/* Returns the value of an event of one source; of all sources together. */
struct ompp_meter_value ompp_meter_value(const struct ompp_meter *meter, size_t event, size_t source);
struct ompp_meter_value ompp_meter_together(const struct ompp_meter *meter, size_t event);

/* Returns the most that this value can be, in the event's unit (of a counter: in its unit a second), or 0 when that is
 * not known.  That of all sources together is known only if that of each source is that has the event. */
double ompp_meter_limit(const struct ompp_meter *meter, size_t event, size_t source);
double ompp_meter_limit_together(const struct ompp_meter *meter, size_t event);

#endif
