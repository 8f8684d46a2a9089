/*
 * Vmstat: what the names in /proc/vmstat, and in those of NUMA nodes, mean.
 */
#ifndef OMPP_SENSORS_SENSOR_VMSTAT_H
#define OMPP_SENSORS_SENSOR_VMSTAT_H

#include "reports/sensors/feed.h"

/* Says what an event of this name is.  Returns 1. */
int ompp_vmstat_describe(const char *name, struct ompp_sensor_event *event);

/* Limits the rows that are pages in a state to so much memory: of one source, or of all with -1. */
void ompp_vmstat_limit(const struct ompp_feed_rows *rows, struct ompp_sensor_host *host, int source,
                       double memory_bytes);

#endif
