/*
 * Vmstat: what the names in /proc/vmstat, and in those of NUMA nodes, mean.
 */
#ifndef OMPP_SENSORS_SENSOR_VMSTAT_H
#define OMPP_SENSORS_SENSOR_VMSTAT_H

#include "runtime/ompp_sensor.h"

/* Says what an event of this name is.  Returns 1. */
int ompp_vmstat_describe(const char *name, struct ompp_sensor_event *event);

#endif
