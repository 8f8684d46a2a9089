/*
 * Capacity: the limits of what sensors read, as far as the kernel tells them: processors, memory, maxima in files of
 * /sys.
 */
#ifndef OMPP_SENSORS_CAPACITY_H
#define OMPP_SENSORS_CAPACITY_H

#include "runtime/ompp_sensor.h"

/* Returns how many CPUs are online, and the bytes of memory; 0 when the kernel does not say it. */
double ompp_capacity_cpus(const struct ompp_sensor_host *host);
double ompp_capacity_memory(const struct ompp_sensor_host *host);

/* Returns the bytes of all memory that the text of a file meminfo tells, of the machine or of a node; 0: none. */
double ompp_capacity_of_text(const char *meminfo);

/* Sets the limit of an event of a source to the number in a file below sys, times the factor, if it is there and above
 * 0.  Returns 1 when it was. */
int ompp_capacity_limit(struct ompp_sensor_host *host, int event, int source, const char *path, double factor);

#endif
