/*
 * Stat: what CPUs do: /proc/stat.
 */
#include "reports/sensors/feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/array.h"

/* clang-format off */
static const struct ompp_sensor_event times[] = {
	{ "user", "s", "CPU time of programs", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	{ "nice", "s", "CPU time of programs of low priority", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	{ "system", "s", "CPU time of the kernel", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	{ "idle", "s", "time in which CPUs had nothing to do", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	{ "iowait", "s", "the same while a disk was waited for", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	{ "irq", "s", "CPU time of interrupts", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	{ "softirq", "s", "CPU time of work put off by interrupts", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	{ "steal", "s", "time in which the host ran something else", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	{ "guest", "s", "CPU time of guests, which user has, too", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	{ "guest_nice", "s", "the same of guests of low priority", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
};
static const struct { const char *line; struct ompp_sensor_event event; } totals[] = {
	{ "ctxt", { "switches", "times", "threads took a CPU from each other", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 } },
	{ "processes", { "forks", "times", "processes and threads were made", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 } },
	{ "intr", { "interrupts", "times", "interrupts of all kinds", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 } },
	{ "procs_running", { "running", "threads", "that run, or want to", OMPP_SENSOR_GAUGE, OMPP_SENSOR_SUM, 0, 0, 0 } },
	{ "procs_blocked", { "blocked", "threads", "that wait for a disk", OMPP_SENSOR_GAUGE, OMPP_SENSOR_SUM, 0, 0, 0 } },
};
/* clang-format on */

struct state {
	struct ompp_feed feed;
	int times[OMPP_COUNT_OF(times)], totals[OMPP_COUNT_OF(totals)];
};

static void read_cpu(struct ompp_sensor_host *host, const struct state *s, const char *at)
{
	char name[24];
	size_t n = strcspn(at, " ");
	int source;

	if (n == 3 || n >= sizeof(name))
		return; /* "cpu" is all of them together */
	memcpy(name, at, n);
	name[n] = '\0';
	source = host->source(host, name);
	at += n;
	for (size_t i = 0; i < OMPP_COUNT_OF(times); i++) {
		uint64_t number;

		if (ompp_feed_take(&at, &number))
			host->set(host, s->times[i], source, number);
	}
}

static void stat_sample(struct ompp_sensor_host *host, void *state)
{
	struct state *s = state;
	const char *line = ompp_feed_read(&s->feed, host->proc, "stat");
	int all = -1;

	for (; line && *line; line = ompp_feed_line(line)) {
		size_t n = strcspn(line, " \n");
		const char *at = line + n;
		uint64_t number;

		if (!strncmp(line, "cpu", 3)) {
			read_cpu(host, s, line);
			continue;
		}
		if (all < 0)
			all = host->source(host, "all");
		for (size_t i = 0; i < OMPP_COUNT_OF(totals); i++)
			if (strlen(totals[i].line) == n && !strncmp(line, totals[i].line, n) &&
			    ompp_feed_take(&at, &number))
				host->set(host, s->totals[i], all, number);
	}
}

static int stat_begin(struct ompp_sensor_host *host, void **state)
{
	struct state *s;
	long ticks = sysconf(_SC_CLK_TCK);
	int rc = ompp_feed_begin(host, state, sizeof(*s), "stat", "mount proc");

	if (rc)
		return rc;
	s = *state;
	for (size_t i = 0; i < OMPP_COUNT_OF(times); i++) {
		struct ompp_sensor_event e = times[i];

		e.scale = 1.0 / (ticks > 0 ? (double)ticks : 100);
		s->times[i] = host->event(host, &e);
		host->limit(host, s->times[i], -1, 1); /* of each CPU: a second in a second */
	}
	for (size_t i = 0; i < OMPP_COUNT_OF(totals); i++)
		s->totals[i] = host->event(host, &totals[i].event);
	stat_sample(host, s);
	return 0;
}

const struct ompp_sensor ompp_sensor_stat = { OMPP_SENSOR_VERSION,
	                                      "stat",
	                                      "what CPUs do: programs, kernel, idle, stolen; switches",
	                                      "CPU",
	                                      stat_begin,
	                                      stat_sample,
	                                      ompp_feed_end,
	                                      NULL };
