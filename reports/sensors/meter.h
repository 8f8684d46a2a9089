/*
 * Meter: a sensor that is being read: its events and sources, the numbers of its last two samples, and what these say
 * of the time between.
 *
 * A counter's value is its growth between the two, which is missing when it was read in one of them only.  A counter
 * that wraps has a growth below half of its range; one that seems to have grown by more has gone back (a device that
 * was reset, a CPU that came back), and its value is missing.  What all sources are together leaves out those whose
 * value is missing, as they come and go.
 */
#ifndef OMPP_SENSORS_METER_H
#define OMPP_SENSORS_METER_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/ompp_sensor.h"

enum { OMPP_METER_WHY = 256 };

/* A value, in steps of the event's scale. */
struct ompp_meter_value {
	int is_known;
	double number;
};

struct ompp_meter {
	struct ompp_sensor_host host; /* the first member, as sensors get its address */
	const struct ompp_sensor *sensor;
	void *state;
	int is_open, is_watched;  /* watched: somebody wants an event of it, also of those that may come */
	char why[OMPP_METER_WHY]; /* when it is not open */
	struct ompp_sensor_event *events;
	char **sources;
	size_t n_events, n_sources;
	size_t room_events, room_sources; /* of the numbers, which are by source and then by event */
	uint64_t *now, *before, *wraps;
	unsigned char *is_now, *is_before, *is_met, *is_wanted; /* met: it was set once */
	int64_t now_ns, before_ns;                              /* when they were read; 0: not yet */
	unsigned int generation;                                /* changes with the events and sources */
	int next_source;                                        /* the one that is probably asked for next */
};

/* Opens the sensor: is_open says whether the machine has it, and why not. */
void ompp_meter_open(struct ompp_meter *meter, const struct ompp_sensor *sensor, const char *proc, const char *sys,
                     int pid);
void ompp_meter_close(struct ompp_meter *meter);

/* Says whether an event is wanted; at first all are that are not extra. */
void ompp_meter_want(struct ompp_meter *meter, size_t event, int is_wanted);

/* Does the source have the event?  (CPUs have no number of forks.) */
int ompp_meter_has(const struct ompp_meter *meter, size_t event, size_t source);

/* Reads the sensor once. */
void ompp_meter_sample(struct ompp_meter *meter);

/* Forgets the samples, so that the next one begins anew (after a pause). */
void ompp_meter_forget(struct ompp_meter *meter);

/* Returns the time between the last two samples; 0 while there is one only. */
int64_t ompp_meter_elapsed_ns(const struct ompp_meter *meter);

/* Returns the value of an event of one source; of all sources together. */
struct ompp_meter_value ompp_meter_value(const struct ompp_meter *meter, size_t event, size_t source);
struct ompp_meter_value ompp_meter_together(const struct ompp_meter *meter, size_t event);

#endif
