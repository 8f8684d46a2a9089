/*
 * ompp_sensor.h: what a sensor is: a part of the machine that `ompp stat` and `ompp record` read again and again.
 * ompp's own sensors are such structs, and so is one of yours: a shared library that defines
 *
 *     const struct ompp_sensor ompp_sensor = { … };        cc -shared -fPIC mine.c -o mine.so; ompp stat -s ./mine.so
 *
 * A sensor has events (what it tells: bytes read) and sources (of what: a CPU, a NUMA node, a disk).  A sample is one
 * number for each event of each source.  ompp knows the time, and makes differences, rates and sums of these numbers.
 * Sensors run in ompp's own process, in one thread, and never in the program that is watched; so they may use all of
 * the C library.  What they read must not block.
 */
#ifndef OMPP_SENSOR_H
#define OMPP_SENSOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A COUNTER grows, and its growth in an interval is shown; a GAUGE is shown as it is, and may be negative (int64_t). */
enum ompp_sensor_kind { OMPP_SENSOR_COUNTER, OMPP_SENSOR_GAUGE };

/* What the numbers of several sources are together. */
enum ompp_sensor_together { OMPP_SENSOR_SUM, OMPP_SENSOR_MEAN, OMPP_SENSOR_MOST, OMPP_SENSOR_NOTHING };

struct ompp_sensor_event {
	const char *name; /* without blanks and commas */
	const char *unit; /* of a number after scaling: "s", "bytes", "pages", "times" … */
	const char *what; /* what it is, a line */
	enum ompp_sensor_kind kind;
	enum ompp_sensor_together together;
	double scale;  /* number × scale is in the unit; 0 means 1 */
	uint64_t wrap; /* a counter starts again at 0 when it reaches this number; 0 means 2^64 */
	int is_extra;  /* 1 when it is read only if it is asked for by name */
};

/* What ompp gives to a sensor.  Names are copied. */
struct ompp_sensor_host {
	const char *proc, *sys; /* where /proc and /sys are */
	int pid;                /* of the program that is watched; 0 when there is none */
	/* Tells of an event; of a source, or finds the one of this name.  Return its number, or -1 without memory. */
	int (*event)(struct ompp_sensor_host *host, const struct ompp_sensor_event *event);
	int (*source)(struct ompp_sensor_host *host, const char *name);
	/* Sets a number of the sample.  What a sample does not set is missing in it, so a source that has gone, or an
	 * event that cannot be read, needs no word. */
	void (*set)(struct ompp_sensor_host *host, int event, int source, uint64_t number);
	/* Sets where the counters of one source wrap, when these differ between sources. */
	void (*wrap)(struct ompp_sensor_host *host, int event, int source, uint64_t wrap);
	/* Does anybody want to see the event?  What nobody wants need not be read. */
	int (*wants)(struct ompp_sensor_host *host, int event);
	/* Says why the machine lacks the sensor: "cause; what to do".  Returns -1, which open() returns then. */
	int (*lacks)(struct ompp_sensor_host *host, const char *format, ...) __attribute__((format(printf, 2, 3)));
	/* Sets the most that an event can be, in its unit (of a counter: in its unit a second), of one source or, with
	 * source -1, of each source that has no limit of its own.  It is then shown in per cent, too.  0 when it is not
	 * known (any more). */
	void (*limit)(struct ompp_sensor_host *host, int event, int source, double limit);
};

/* Version 2 has limit().  ompp reads sensors of version 1, too. */
enum { OMPP_SENSOR_VERSION = 2 };

struct ompp_sensor {
	int version;      /* OMPP_SENSOR_VERSION */
	const char *name; /* as in `ompp stat -e name:event` */
	const char *what; /* what it tells, a line */
	const char *of;   /* what its sources are: "CPU", "NUMA node", "disk" …, or "machine" */
	/* Finds out whether the machine has it, and tells of its events.  Returns 0 and what the other functions get as
	 * state, or what lacks() returns. */
	int (*open)(struct ompp_sensor_host *host, void **state);
	/* Reads it once: set() for each event and source. */
	void (*sample)(struct ompp_sensor_host *host, void *state);
	void (*close)(void *state); /* NULL when there is nothing to do */
	/* Tells of an event that open() did not tell of, when the user asks for it by name.  Returns its number, or
	 * what lacks() returns; NULL when there are no such events. */
	int (*find)(struct ompp_sensor_host *host, void *state, const char *name);
};

#ifdef __cplusplus
}
#endif

#endif
