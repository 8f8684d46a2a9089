/*
 * Sensors: see sensors.h.
 */
#include "reports/sensors/sensors.h"

#include <dlfcn.h>
#include <stdio.h>

#include "runtime/base/array.h"

/* clang-format off */
#define SENSORS(X) \
	X(vmstat) X(node) X(stat) X(pressure) X(interrupts) X(softirqs) X(schedstat) X(diskstats) X(net) X(process) X(task) X(value) X(region) X(cgroup) X(cpufreq) X(hwmon) X(rapl) X(resctrl) X(perf)
/* clang-format on */

#define DECLARE(name) extern const struct ompp_sensor ompp_sensor_##name;
SENSORS(DECLARE)

#define ROW(name) &ompp_sensor_##name,
static const struct ompp_sensor *const all[] = { SENSORS(ROW) };

const struct ompp_sensor *ompp_sensors(size_t i)
{
	return i < OMPP_COUNT_OF(all) ? all[i] : NULL;
}

const struct ompp_sensor *ompp_sensors_load(const char *path, char *why, size_t n_why)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const struct ompp_sensor *sensor;

	if (!library) {
		snprintf(why, n_why, "cannot be loaded: %s; give the path of a shared library, with a slash",
		         dlerror());
		return NULL;
	}
	sensor = dlsym(library, "ompp_sensor");
	if (!sensor) {
		snprintf(why, n_why, "has no ompp_sensor; define one, as ompp_sensor.h says");
	} else if (sensor->version < 1 || sensor->version > OMPP_SENSOR_VERSION || !sensor->name || !sensor->name[0] ||
	           !sensor->open || !sensor->sample) {
		snprintf(why, n_why,
		         "its ompp_sensor lacks a member or is of version %d; compile it with the "
		         "ompp_sensor.h of version %d",
		         sensor->version, OMPP_SENSOR_VERSION);
		sensor = NULL;
	}
	if (!sensor)
		dlclose(library);
	return sensor; /* the library stays */
}
