/*
 * Whereabouts: the region of each thread of the watched program in the last sample of the sensor `region`.
 *
 * Threads are numbered as the runtime met them: 0 is the first.  The number of a thread that has ended is reused by the
 * next new one.
 */
#ifndef OMPP_SENSORS_WHEREABOUTS_H
#define OMPP_SENSORS_WHEREABOUTS_H

#include <stddef.h>

struct ompp_whereabout {
	int region; /* the number of a source of the sensor; -1: in none */
	int waits;
};

struct ompp_whereabouts {
	struct ompp_whereabout *threads;
	size_t n, room; /* n is 0 when the last sample could not be read */
};

/* There is one watched program only. */
extern struct ompp_whereabouts ompp_whereabouts;

#endif
