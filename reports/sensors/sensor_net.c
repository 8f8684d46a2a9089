/*
 * Net: data received and sent by network interfaces: /proc/net/dev.
 *
 * The limit of an interface is the speed of its link, as long as it does not lose its carrier.  What is no device (lo,
 * bridges, tunnels) has none, as the speed that it may tell limits nothing.
 */
#include "reports/sensors/feed.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/sensors/capacity.h"

enum { FIELDS = 12, RECEIVED = 0, SENT = 8 };

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

struct interface {
	char name[32];
	int is_device;
	int64_t n_changes; /* of its carrier, when its speed was read */
};

struct state {
	struct ompp_feed feed;
	int events[FIELDS];
	struct interface *interfaces;
	size_t n;
};

/* Finds what is known of an interface; the first time that is whether it is a device.  Returns NULL without memory. */
static struct interface *interface_of(struct ompp_sensor_host *host, struct state *s, const char *name)
{
	struct interface *interfaces;
	char path[PATH_MAX];

	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->interfaces[i].name, name))
			return &s->interfaces[i];
	interfaces = realloc(s->interfaces, (s->n + 1) * sizeof(*interfaces));
	if (!interfaces)
		return NULL;
	s->interfaces = interfaces;
	snprintf(path, sizeof(path), "%s/class/net/%s/device", host->sys, name);
	interfaces[s->n] = (struct interface){ .is_device = !access(path, F_OK), .n_changes = -1 };
	snprintf(interfaces[s->n].name, sizeof(interfaces[s->n].name), "%s", name);
	return &interfaces[s->n++];
}

/* Sets the limit of an interface that is new, or whose carrier was lost or came back.  The speed is in 1e6 bits/s. */
static void limit_interface(struct ompp_sensor_host *host, struct state *s, const char *name, int source)
{
	struct interface *interface = interface_of(host, s, name);
	char path[96];
	int64_t n_changes;

	if (!interface || !interface->is_device)
		return;
	snprintf(path, sizeof(path), "class/net/%s/carrier_changes", name);
	if (ompp_feed_number(host->sys, path, &n_changes))
		n_changes = 0;
	if (n_changes == interface->n_changes)
		return;
	interface->n_changes = n_changes;
	snprintf(path, sizeof(path), "class/net/%s/speed", name);
	for (int i = 0; i <= SENT; i += SENT - RECEIVED)
		if (!ompp_capacity_limit(host, s->events[i], source, path, 1e6 / 8))
			host->limit(host, s->events[i], source, 0);
}

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
		limit_interface(host, s, interface, source);
		at++;
		ompp_feed_set(host, at, s->events, FIELDS, source);
	}
}

static void net_end(void *state)
{
	struct state *s = state;

	free(s->interfaces);
	ompp_feed_end(s);
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

const struct ompp_sensor ompp_sensor_net = { OMPP_SENSOR_VERSION,
	                                     "net",
	                                     "what network interfaces receive and send",
	                                     "network interface",
	                                     net_begin,
	                                     net_sample,
	                                     net_end,
	                                     NULL };
