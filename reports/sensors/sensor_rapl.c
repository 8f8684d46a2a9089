/*
 * Rapl: energy of sockets, their cores and their memory: /sys/class/powercap.
 */
#include "reports/sensors/feed.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONSTRAINTS = 4 };

static const char folder[] = "class/powercap";

struct zone {
	char path[96], source[80];
	int is_part; /* part of another zone, so it is not added to the sum */
	int64_t range;
};

struct state {
	struct ompp_sensor_host *host;
	struct ompp_feed feed;
	struct zone *zones;
	size_t n;
	int energy, part, error;
};

/* "intel-rapl:0" is a socket, and "intel-rapl:0:1" a part of it. */
static void add_zone(void *context, const char *name, int unused)
{
	struct state *s = context;
	struct zone *zones, *zone;
	const char *text, *colon = strchr(name, ':');
	char path[128];
	int64_t energy;
	int rc;

	(void)unused;
	snprintf(path, sizeof(path), "%s/%.60s/energy_uj", folder, name);
	rc = ompp_feed_number(s->host->sys, path, &energy);
	if (rc == -EACCES || rc == -EPERM)
		s->error = -rc;
	zones = rc ? NULL : realloc(s->zones, (s->n + 1) * sizeof(*zones));
	if (!zones)
		return;
	s->zones = zones;
	zone = &zones[s->n++];
	memcpy(zone->path, path, strlen(path) + 1 < sizeof(zone->path) ? strlen(path) + 1 : sizeof(zone->path));
	zone->path[sizeof(zone->path) - 1] = '\0';
	zone->is_part = colon && strchr(colon + 1, ':');
	snprintf(path, sizeof(path), "%s/%.60s/max_energy_range_uj", folder, name);
	if (ompp_feed_number(s->host->sys, path, &zone->range) || zone->range <= 0)
		zone->range = INT64_MAX;
	snprintf(path, sizeof(path), "%s/%.60s/name", folder, name);
	text = ompp_feed_once(&s->feed, s->host->sys, path);
	snprintf(zone->source, sizeof(zone->source), "%.*s-%.30s", text ? (int)strcspn(text, "\n") : 4,
	         text ? text : "zone", colon ? colon + 1 : name);
	/* "package-0" of intel-rapl:0 includes the number already */
	if (text && !strncmp(text, "package-", 8))
		snprintf(zone->source, sizeof(zone->source), "%.*s", (int)strcspn(text, "\n"), text);
}

/* Notes the most power that any constraint of a zone may be set to. */
static void limit_zone(struct state *s, const struct zone *z)
{
	double most = 0;
	int64_t power;
	char path[128];

	for (int i = 0; i < CONSTRAINTS; i++) {
		snprintf(path, sizeof(path), "%.*s/constraint_%d_max_power_uw",
		         (int)(strlen(z->path) - strlen("/energy_uj")), z->path, i);
		if (!ompp_feed_number(s->host->sys, path, &power) && (double)power > most)
			most = (double)power;
	}
	s->host->limit(s->host, z->is_part ? s->part : s->energy, s->host->source(s->host, z->source), most * 1e-6);
}

static void rapl_sample(struct ompp_sensor_host *host, void *state)
{
	struct state *s = state;
	int64_t number;

	for (size_t i = 0; i < s->n; i++) {
		const struct zone *z = &s->zones[i];
		int event = z->is_part ? s->part : s->energy, source;

		if (!host->wants(host, event) || ompp_feed_number(host->sys, z->path, &number))
			continue;
		source = host->source(host, z->source);
		host->wrap(host, event, source, (uint64_t)z->range + 1); /* the range is the largest number */
		host->set(host, event, source, (uint64_t)number);
	}
}

static void rapl_end(void *state)
{
	struct state *s = state;

	ompp_feed_close(&s->feed);
	free(s->zones);
	free(s);
}

static int rapl_begin(struct ompp_sensor_host *host, void **state)
{
	static const struct ompp_sensor_event energy = {
		"energy", "J", "of sockets, and of what is in none", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 1e-6, 0, 0
	};
	static const struct ompp_sensor_event part = {
		"part", "J", "of parts of sockets, as cores and memory", OMPP_SENSOR_COUNTER, OMPP_SENSOR_NOTHING, 1e-6,
		0,      0
	};
	struct state *s = calloc(1, sizeof(*s));
	int error;

	if (!s)
		return host->lacks(host, "not enough memory");
	s->host = host;
	s->feed = OMPP_FEED;
	ompp_feed_each(host->sys, folder, "", add_zone, s);
	error = s->error;
	if (!s->n) {
		rapl_end(s);
		if (error)
			return host->lacks(host, "%s/%s/*/energy_uj cannot be read: %s; run as root", host->sys, folder,
			                   strerror(error));
		return host->lacks(host, "no %s/%s/*/energy_uj; load intel_rapl_msr (virtual machines have no RAPL)",
		                   host->sys, folder);
	}
	s->energy = host->event(host, &energy);
	s->part = host->event(host, &part);
	for (size_t i = 0; i < s->n; i++)
		limit_zone(s, &s->zones[i]);
	rapl_sample(host, s);
	*state = s;
	return 0;
}

const struct ompp_sensor ompp_sensor_rapl = { OMPP_SENSOR_VERSION,
	                                      "rapl",
	                                      "energy of sockets, cores and memory",
	                                      "socket",
	                                      rapl_begin,
	                                      rapl_sample,
	                                      rapl_end,
	                                      NULL };
