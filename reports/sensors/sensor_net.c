/*
 * Net: data received and sent by network interfaces: /proc/net/dev.
 */
#include "reports/sensors/feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 12 };

/* clang-format off */
/* The fields of a line; those without a name are left out. */
static const struct ompp_sensor_event events[FIELDS] = {
	{ "received", "bytes", "that were received, also by lo", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	{ "rx_packets", "packets", "that were received", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	{ "rx_errors", "packets", "that were received wrongly", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	{ "rx_dropped", "packets", "that were received and dropped", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	{ .name = NULL }, { .name = NULL }, { .name = NULL }, { .name = NULL },
	{ "sent", "bytes", "that were sent, also by lo", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	{ "tx_packets", "packets", "that were sent", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	{ "tx_errors", "packets", "that could not be sent", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	{ "tx_dropped", "packets", "that were dropped instead of being sent", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
};
/* clang-format on */

struct state {
	struct ompp_feed feed;
	int events[FIELDS];
};

static void net_sample(struct ompp_sensor_host *host, void *state)
{
	struct state *s = state;
	const char *line = ompp_feed_read(&s->feed, host->proc, "net/dev");

	for (; line && *line; line = ompp_feed_line(line)) {
		const char *name = line + strspn(line, " "), *at = name + strcspn(name, ":\n");
		char interface[32];
		int source;

		if (*at != ':') /* the heading */
			continue;
		snprintf(interface, sizeof(interface), "%.*s", (int)(at - name), name);
		source = host->source(host, interface);
		at++;
		ompp_feed_set(host, at, s->events, FIELDS, source);
	}
}

static int net_begin(struct ompp_sensor_host *host, void **state)
{
	struct state *s;
	int rc = ompp_feed_begin(host, state, sizeof(*s), "net/dev", "mount proc");

	if (rc)
		return rc;
	s = *state;
	ompp_feed_events(host, events, FIELDS, s->events);
	net_sample(host, s);
	return 0;
}

const struct ompp_sensor ompp_sensor_net = { OMPP_SENSOR_VERSION, "net",     "what network interfaces receive and send",
	                                     "network interface", net_begin, net_sample,
	                                     ompp_feed_end,       NULL };
