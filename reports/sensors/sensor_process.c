/*
 * Process: the program that is watched, all of its threads together: /proc/PID/stat and /proc/PID/io.
 */
#include "reports/sensors/feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/sensors/capacity.h"
#include "reports/sensors/pid_stat.h"
#include "reports/sensors/program.h"
#include "runtime/base/array.h"

/* clang-format off */
static const struct { enum ompp_pid_stat place; struct ompp_sensor_event event; } fields[] = {
	{ OMPP_PID_USER, { "user", "s", "CPU time of the program itself", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 } },
	{ OMPP_PID_SYSTEM, { "system", "s", "CPU time of the kernel for it", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 } },
	{ OMPP_PID_CHILDREN_USER, { "children_user", "s", "user time of processes that it started and that have ended", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 } },
	{ OMPP_PID_CHILDREN_SYSTEM, { "children_system", "s", "system time of these", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 } },
	{ OMPP_PID_MINOR, { "minor", "times", "page faults without a disk", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 } },
	{ OMPP_PID_MAJOR, { "major", "times", "page faults that waited for a disk", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 } },
	{ OMPP_PID_THREADS, { "threads", "threads", "that it has", OMPP_SENSOR_GAUGE, OMPP_SENSOR_SUM, 0, 0, 0 } },
	{ OMPP_PID_BYTES, { "virtual", "bytes", "of address space", OMPP_SENSOR_GAUGE, OMPP_SENSOR_SUM, 0, 0, 0 } },
	{ OMPP_PID_RESIDENT, { "resident", "bytes", "of memory", OMPP_SENSOR_GAUGE, OMPP_SENSOR_SUM, 0, 0, 0 } },
};
/* clang-format on */

struct state {
	int pid; /* whose files the feeds are */
	struct ompp_feed feed, io;
	struct ompp_feed_rows rows;
	int events[OMPP_COUNT_OF(fields)];
};

static int describe_io(const char *name, struct ompp_sensor_event *event)
{
	/* clang-format off */
	static const struct { const char *name, *event, *unit, *what; } words[] = {
		{ "rchar", "read_calls", "bytes", "that system calls read" }, { "wchar", "write_calls", "bytes", "that system calls wrote" },
		{ "read_bytes", "read", "bytes", "that disks read for it" }, { "write_bytes", "written", "bytes", "that disks write for it" },
	};
	/* clang-format on */
	for (size_t i = 0; i < OMPP_COUNT_OF(words); i++)
		if (!strcmp(words[i].name, name)) {
			event->name = words[i].event;
			event->unit = words[i].unit;
			event->what = words[i].what;
			return 1;
		}
	return 0;
}

static void process_sample(struct ompp_sensor_host *host, void *state)
{
	struct state *s = state;
	uint64_t numbers[OMPP_PID_N];
	char path[40];
	const char *text;
	int source = host->source(host, "program");

	if (s->pid != host->pid) { /* what the new one has used is no growth of the old one's */
		s->pid = host->pid;
		ompp_feed_close(&s->feed);
		ompp_feed_close(&s->io);
		s->feed = s->io = OMPP_FEED;
		return;
	}
	snprintf(path, sizeof(path), "%d/stat", host->pid);
	text = ompp_feed_read(&s->feed, host->proc, path);
	if (!text || !ompp_pid_stat(text, numbers))
		return;
	for (size_t i = 0; i < OMPP_COUNT_OF(fields); i++)
		host->set(host, s->events[i], source, numbers[fields[i].place]);
	snprintf(path, sizeof(path), "%d/io", host->pid);
	text = ompp_feed_read(&s->io, host->proc, path);
	if (text)
		ompp_feed_rows(&s->rows, host, source, text);
}

static void process_end(void *state)
{
	struct state *s = state;

	ompp_feed_close(&s->feed);
	ompp_feed_close(&s->io);
	ompp_feed_rows_free(&s->rows);
	free(s);
}

static int process_begin(struct ompp_sensor_host *host, void **state)
{
	long ticks = sysconf(_SC_CLK_TCK), page = sysconf(_SC_PAGESIZE);
	int rc = ompp_program_begin(host, state, sizeof(struct state));
	struct state *s;

	if (rc)
		return rc;
	s = *state;
	s->feed = s->io = OMPP_FEED;
	s->pid = host->pid;
	s->rows.describe = describe_io;
	for (size_t i = 0; i < OMPP_COUNT_OF(fields); i++) {
		struct ompp_sensor_event e = fields[i].event;

		if (!strcmp(e.unit, "s"))
			e.scale = 1.0 / (ticks > 0 ? (double)ticks : 100);
		if (fields[i].place == OMPP_PID_RESIDENT)
			e.scale = (double)page;
		s->events[i] = host->event(host, &e);
		if (fields[i].place == OMPP_PID_USER || fields[i].place == OMPP_PID_SYSTEM)
			host->limit(host, s->events[i], -1, ompp_capacity_cpus(host));
		if (fields[i].place == OMPP_PID_RESIDENT)
			host->limit(host, s->events[i], -1, ompp_capacity_memory(host));
	}
	process_sample(host, s);
	return 0;
}

const struct ompp_sensor ompp_sensor_process = { OMPP_SENSOR_VERSION, "process",      "the watched program", "program",
	                                         process_begin,       process_sample, process_end,           NULL };
