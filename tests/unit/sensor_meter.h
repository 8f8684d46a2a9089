/*
 * Sensor meter: the meter of a test of sensors.
 */
#ifndef TESTS_UNIT_SENSOR_METER_H
#define TESTS_UNIT_SENSOR_METER_H

#include <string.h>

#include "reports/sensors/meter.h"

static struct ompp_meter meter;

static size_t event_of(const char *name)
{
	for (size_t i = 0; i < meter.n_events; i++)
		if (!strcmp(meter.events[i].name, name))
			return i;
	fail_msg("no event %s", name);
	return 0;
}

static size_t source_of(const char *name)
{
	for (size_t i = 0; i < meter.n_sources; i++)
		if (!strcmp(meter.sources[i], name))
			return i;
	fail_msg("no source %s", name);
	return 0;
}

#endif
