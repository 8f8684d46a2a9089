/*
 * Sensor tree: a constructed tree of /proc and /sys, which sensors read in place of the machine's.  To include first.
 */
#ifndef TESTS_SENSOR_TREE_H
#define TESTS_SENSOR_TREE_H

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <numa.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "config.h"
#include "reports/sensors/feed.h"
#include "reports/sensors/sensors.h"
#include "reports/sensors/watch.h"
#include "tests/unit/fake_sysfs.h"
#include "tests/unit/sensor_meter.h"

enum { CPUS = 1024, NODES = 8, TEXT_BYTES = 1 << 20 };

static char text[TEXT_BYTES];

/* ---- the meter, with a sensor whose numbers the test sets ---- */

static uint64_t numbers[4][3]; /* by source and event */

static int n_fake = 2, is_gone;

static inline void fake_sample(struct ompp_sensor_host *host, void *state)
{
	(void)state;
	for (int s = is_gone; s < n_fake; s++) {
		char name[16];
		int source;

		snprintf(name, sizeof(name), "s%d", s);
		source = host->source(host, name);
		for (int e = 0; e < 3; e++)
			host->set(host, e, source, numbers[s][e]);
	}
}

/* ---- sensors on constructed trees ---- */

static char proc[64], sys[64];

static int n_open_before;

/* Returns how many descriptors are open below 256. */
static inline int n_open(void)
{
	int n = 0;

	for (int fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static inline int tree_new(void **state)
{
	n_open_before = n_open();
	if (fake_new(state))
		return -1;
	snprintf(proc, sizeof(proc), "%s/proc", fake_root);
	snprintf(sys, sizeof(sys), "%s/sys", fake_root);
	return 0;
}

static inline int tree_drop(void **state)
{
	(void)state;
	if (meter.sensor)
		ompp_meter_close(&meter);
	fake_drop();
	return n_open() - n_open_before; /* what a sensor opened, it closes */
}

static inline void open_sensor(const char *name, int pid)
{
	size_t i = 0;

	while (ompp_sensors(i) && strcmp(ompp_sensors(i)->name, name))
		i++;
	assert_non_null(ompp_sensors(i));
	ompp_meter_open(&meter, ompp_sensors(i), proc, sys, pid);
}

/* Returns a value in the event's unit; -1 when it is not known, which no value of these tests is. */
static inline double value(const char *event, const char *source)
{
	size_t e = event_of(event);
	struct ompp_meter_value v = source ? ompp_meter_value(&meter, e, source_of(source))
	                                   : ompp_meter_together(&meter, e);

	return v.is_known ? v.number * meter.events[e].scale : -1;
}

static inline int is_near(double a, double b)
{
	return a - b < 1e-6 && b - a < 1e-6;
}

/* Returns the limit of an event, of one source or together; 0 where there is none. */
static inline double most(const char *event, const char *source)
{
	size_t e = event_of(event);

	return source ? ompp_meter_limit(&meter, e, source_of(source)) : ompp_meter_limit_together(&meter, e);
}

static inline void put_stat(int round, int first_cpu)
{
	size_t n = (size_t)snprintf(text, sizeof(text), "cpu 1 2 3 4 5 6 7 8 9 10\n");

	for (int cpu = first_cpu; cpu < CPUS; cpu++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "cpu%d %d 0 %d 100 0 0 0 %d 0 0\n", cpu, round * cpu,
		                      round * 7, round);
	snprintf(text + n, sizeof(text) - n, "intr %d 1 2 3\nctxt %d\nprocesses 5\nprocs_running 3\nprocs_blocked 0",
	         round, round * 1000);
	fake_put("proc/stat", text);
}

static inline void put_nodes(int round)
{
	char file[80];

	for (int node = 0; node < NODES; node++) {
		snprintf(file, sizeof(file), "sys/devices/system/node/node%d/numastat", node);
		snprintf(text, sizeof(text),
		         "numa_hit %d\nnuma_miss %d\nnuma_foreign 0\ninterleave_hit 0\nlocal_node 1\nother_node 0",
		         1000 * node + round * (node + 1), round);
		fake_put(file, text);
		snprintf(file, sizeof(file), "sys/devices/system/node/node%d/meminfo", node);
		snprintf(text, sizeof(text), "\nNode %d MemTotal:       %d kB\nNode %d HugePages_Total:     4", node,
		         64 + node, node);
		fake_put(file, text);
		snprintf(file, sizeof(file), "sys/devices/system/node/node%d/vmstat", node);
		snprintf(text, sizeof(text), "nr_free_pages %d\nnuma_hit 9\nnuma_local 9\npgpromote_success %d", node,
		         round);
		fake_put(file, text);
	}
}

#endif
