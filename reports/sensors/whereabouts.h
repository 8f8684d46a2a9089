/*
 * Whereabouts: in which region each thread of the watched program is, as the sensor `region` has seen it last.
 *
 * Threads are numbered as the runtime met them: 0 is the first.  A thread that ends leaves its number to the next new
 * one.
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

/* There is one program that is watched. */
extern struct ompp_whereabouts ompp_whereabouts;

#endif
