/*
 * Sensors: the list of all that ompp has.  A new one is a file with a struct ompp_sensor and a line in sensors.c.
 */
#ifndef OMPP_SENSORS_SENSORS_H
#define OMPP_SENSORS_SENSORS_H

#include <stddef.h>

#include "runtime/ompp_sensor.h"

/* Returns sensor i; NULL past the last. */
const struct ompp_sensor *ompp_sensors(size_t i);

/* Loads the sensor of a shared library.  Returns NULL and why ("cause; what to do") when it has none. */
const struct ompp_sensor *ompp_sensors_load(const char *path, char *why, size_t n_why);

#endif
