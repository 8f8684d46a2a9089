/*
 * Task: the threads of the program that is watched: /proc/PID/task.
 */
#include "config.h"

#include "reports/sensors/feed.h"

#ifdef HAVE_NUMA
#include <numa.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/sensors/pid_stat.h"
#include "reports/sensors/program.h"

enum event { RUN, WAIT, USER, SYSTEM, MINOR, MAJOR, VOLUNTARY, FORCED, CPU, NODE, EVENTS };

/* clang-format off */
static const struct ompp_sensor_event events[EVENTS] = {
	[RUN] = { "run", "s", "CPU time", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 1e-9, 0, 0 },
	[WAIT] = { "wait", "s", "time waited for a CPU", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 1e-9, 0, 0 },
	[USER] = { "user", "s", "CPU time of the program itself", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	[SYSTEM] = { "system", "s", "CPU time of the kernel for it", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	[MINOR] = { "minor", "times", "page faults without a disk", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	[MAJOR] = { "major", "times", "page faults that waited for a disk", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	[VOLUNTARY] = { "voluntary", "times", "it gave its CPU away, to wait", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	[FORCED] = { "forced", "times", "its CPU was taken away", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	[CPU] = { "cpu", "number", "of the CPU on which it ran last", OMPP_SENSOR_GAUGE, OMPP_SENSOR_NOTHING, 0, 0, 0 },
	[NODE] = { "node", "number", "of the NUMA node on which it ran last", OMPP_SENSOR_GAUGE, OMPP_SENSOR_NOTHING, 0, 0, 0 },
};
/* clang-format on */

struct state {
	struct ompp_feed feed;
	struct ompp_sensor_host *host;
	int events[EVENTS];
	int16_t *nodes; /* by CPU of this machine; -1: not known */
	size_t n_nodes;
};

static void task_set(struct state *s, enum event event, int source, uint64_t number)
{
	s->host->set(s->host, s->events[event], source, number);
}

static int task_wants(struct state *s, enum event first, enum event last)
{
	for (int e = first; e <= (int)last; e++)
		if (s->host->wants(s->host, s->events[e]))
			return 1;
	return 0;
}

/* Notes the node of each CPU of this machine, which libnuma knows. */
static void note_nodes(struct state *s)
{
#ifdef HAVE_NUMA
	int n = numa_available() < 0 || strcmp(s->host->sys, "/sys") ? 0 : numa_num_possible_cpus();

	s->nodes = n > 0 ? malloc((size_t)n * sizeof(*s->nodes)) : NULL;
	s->n_nodes = s->nodes ? (size_t)n : 0;
	for (int cpu = 0; s->nodes && cpu < n; cpu++)
		s->nodes[cpu] = (int16_t)numa_node_of_cpu(cpu);
#else
	(void)s;
#endif
}

/* Reads the number after a key of /proc/PID/status. */
static void set_status(struct state *s, const char *text, const char *word, enum event event, int source)
{
	const char *at = strstr(text, word);
	uint64_t number;

	if (!at)
		return;
	at += strlen(word);
	if (ompp_feed_take(&at, &number))
		task_set(s, event, source, number);
}

static void read_task(void *context, const char *name, int tid)
{
	struct state *s = context;
	uint64_t numbers[OMPP_PID_N], number;
	int source = s->host->source(s->host, name);
	char path[80];
	const char *text;

	snprintf(path, sizeof(path), "%d/task/%d/schedstat", s->host->pid, tid);
	text = task_wants(s, RUN, WAIT) ? ompp_feed_once(&s->feed, s->host->proc, path) : NULL;
	if (text && ompp_feed_take(&text, &number)) {
		task_set(s, RUN, source, number);
		if (ompp_feed_take(&text, &number))
			task_set(s, WAIT, source, number);
	}
	snprintf(path, sizeof(path), "%d/task/%d/stat", s->host->pid, tid);
	text = task_wants(s, USER, MAJOR) || task_wants(s, CPU, NODE) ? ompp_feed_once(&s->feed, s->host->proc, path)
	                                                              : NULL;
	if (text && ompp_pid_stat(text, numbers)) {
		task_set(s, USER, source, numbers[OMPP_PID_USER]);
		task_set(s, SYSTEM, source, numbers[OMPP_PID_SYSTEM]);
		task_set(s, MINOR, source, numbers[OMPP_PID_MINOR]);
		task_set(s, MAJOR, source, numbers[OMPP_PID_MAJOR]);
		task_set(s, CPU, source, numbers[OMPP_PID_CPU]);
		if (numbers[OMPP_PID_CPU] < s->n_nodes && s->nodes[numbers[OMPP_PID_CPU]] >= 0)
			task_set(s, NODE, source, (uint64_t)s->nodes[numbers[OMPP_PID_CPU]]);
	}
	snprintf(path, sizeof(path), "%d/task/%d/status", s->host->pid, tid);
	text = task_wants(s, VOLUNTARY, FORCED) ? ompp_feed_once(&s->feed, s->host->proc, path) : NULL;
	if (text) {
		set_status(s, text, "\nvoluntary_ctxt_switches:", VOLUNTARY, source);
		set_status(s, text, "\nnonvoluntary_ctxt_switches:", FORCED, source);
	}
}

static void read_name(void *context, const char *name, int unused)
{
	(void)unused;
	if (name[0] >= '0' && name[0] <= '9')
		read_task(context, name, atoi(name));
}

static void task_sample(struct ompp_sensor_host *host, void *state)
{
	struct state *s = state;
	char path[40];

	s->host = host;
	snprintf(path, sizeof(path), "%d/task", host->pid);
	ompp_feed_each(host->proc, path, "", read_name, s);
}

static void task_end(void *state)
{
	struct state *s = state;

	ompp_feed_close(&s->feed);
	free(s->nodes);
	free(s);
}

static int task_begin(struct ompp_sensor_host *host, void **state)
{
	long ticks = sysconf(_SC_CLK_TCK);
	int rc = ompp_program_begin(host, state, sizeof(struct state));
	struct state *s;

	if (rc)
		return rc;
	s = *state;
	s->feed = OMPP_FEED;
	s->host = host;
	for (int i = 0; i < EVENTS; i++) {
		struct ompp_sensor_event e = events[i];

		if (i == USER || i == SYSTEM)
			e.scale = 1.0 / (ticks > 0 ? (double)ticks : 100);
		s->events[i] = host->event(host, &e);
		if (!strcmp(e.unit, "s"))
			host->limit(host, s->events[i], -1, 1); /* a thread runs on one CPU, or waits for it */
	}
	note_nodes(s);
	task_sample(host, s);
	return 0;
}

const struct ompp_sensor ompp_sensor_task = { OMPP_SENSOR_VERSION,
	                                      "task",
	                                      "the threads of the watched program",
	                                      "thread",
	                                      task_begin,
	                                      task_sample,
	                                      task_end,
	                                      NULL };
