/*
 * Schedstat: how long threads ran on each CPU, and waited for it: /proc/schedstat.
 */
#include "reports/sensors/feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IGNORED = 6, EVENTS = 3 };

/* clang-format off */
static const struct ompp_sensor_event events[EVENTS] = {
	{ "run", "s", "time in which the CPU ran threads", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 1e-9, 0, 0 },
	{ "wait", "s", "time that threads waited for the CPU, added up", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 1e-9, 0, 0 },
	{ "slices", "times", "a thread got the CPU", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
};
/* clang-format on */

struct state {
	struct ompp_feed feed;
	int events[EVENTS];
};

static void schedstat_sample(struct ompp_sensor_host *host, void *state)
{
	struct state *s = state;
	const char *line = ompp_feed_read(&s->feed, host->proc, "schedstat");

	for (; line && *line; line = ompp_feed_line(line)) {
		char name[24];
		const char *at = line;
		int source;

		if (strncmp(line, "cpu", 3))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(line, " "), line);
		source = host->source(host, name);
		for (int i = 0; i <= IGNORED; i++)
			ompp_feed_skip(&at);
		ompp_feed_set(host, at, s->events, EVENTS, source);
	}
}

static int schedstat_begin(struct ompp_sensor_host *host, void **state)
{
	struct state *s;
	int rc = ompp_feed_begin(host, state, sizeof(*s), "schedstat", "it needs a kernel with CONFIG_SCHEDSTATS");

	if (rc)
		return rc;
	s = *state;
	ompp_feed_events(host, events, EVENTS, s->events);
	host->limit(host, s->events[0], -1, 1); /* a CPU runs one thread at a time */
	schedstat_sample(host, s);
	return 0;
}

const struct ompp_sensor ompp_sensor_schedstat = { OMPP_SENSOR_VERSION,
	                                           "schedstat",
	                                           "how long threads ran, and waited for a CPU",
	                                           "CPU",
	                                           schedstat_begin,
	                                           schedstat_sample,
	                                           ompp_feed_end,
	                                           NULL };
