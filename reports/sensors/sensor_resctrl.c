/*
 * Resctrl: how much of each last-level cache is in use, and the bandwidth of memory behind it:
 * /sys/fs/resctrl/mon_data.
 */
#include "reports/sensors/feed.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS = 3 };

static const char folder[] = "fs/resctrl/mon_data";

/* clang-format off */
static const struct { const char *file; struct ompp_sensor_event event; } files[EVENTS] = {
	{ "llc_occupancy", { "occupancy", "bytes", "of the last-level cache in use", OMPP_SENSOR_GAUGE, OMPP_SENSOR_SUM, 0, 0, 0 } },
	{ "mbm_total_bytes", { "total", "bytes", "moved from and to all memory", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 } },
	{ "mbm_local_bytes", { "local", "bytes", "moved from and to the memory of the cache's own NUMA node", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 } },
};
/* clang-format on */

struct state {
	struct ompp_sensor_host *host;
	int events[EVENTS], n;
};

static void read_domain(void *context, const char *name, int unused)
{
	struct state *s = context;
	int64_t number;
	char path[128];

	(void)unused;
	for (int i = 0; i < EVENTS; i++) {
		snprintf(path, sizeof(path), "%s/%.40s/%s", folder, name, files[i].file);
		if (ompp_feed_number(s->host->sys, path, &number)) /* "Unavailable", "Error" */
			continue;
		s->host->set(s->host, s->events[i], s->host->source(s->host, name), (uint64_t)number);
		s->n++;
	}
}

/* Adds the size of the last-level cache of a CPU to the domain of its number: "mon_L3_01" is number 1 of level 3. */
static void limit_cache(void *context, const char *name, int cpu)
{
	struct state *s = context;
	struct ompp_feed feed = OMPP_FEED;
	char path[128], domain[24];
	const char *text;
	uint64_t kib;
	int64_t id, in_use;

	(void)cpu;
	snprintf(path, sizeof(path), "devices/system/cpu/%.20s/cache/index3/id", name);
	if (ompp_feed_number(s->host->sys, path, &id))
		return;
	snprintf(path, sizeof(path), "devices/system/cpu/%.20s/cache/index3/size", name);
	snprintf(domain, sizeof(domain), "mon_L3_%02d", (int)id);
	text = ompp_feed_once(&feed, s->host->sys, path);
	snprintf(path, sizeof(path), "%s/%s/%s", folder, domain, files[0].file);
	if (text && !ompp_feed_number(s->host->sys, path, &in_use) && ompp_feed_take(&text, &kib) && *text == 'K')
		s->host->limit(s->host, s->events[0], s->host->source(s->host, domain), (double)kib * 1024);
	ompp_feed_close(&feed);
}

static void resctrl_sample(struct ompp_sensor_host *host, void *state)
{
	struct state *s = state;

	s->host = host;
	ompp_feed_each(host->sys, folder, "", read_domain, s);
}

static int resctrl_begin(struct ompp_sensor_host *host, void **state)
{
	struct state *s = calloc(1, sizeof(*s));

	if (!s)
		return host->lacks(host, "not enough memory");
	for (int i = 0; i < EVENTS; i++)
		s->events[i] = host->event(host, &files[i].event);
	resctrl_sample(host, s);
	if (!s->n) {
		free(s);
		return host->lacks(host,
		                   "no %s/%s/*; mount -t resctrl resctrl %s/fs/resctrl, on a processor that monitors "
		                   "caches (Intel's RDT, AMD's QoS)",
		                   host->sys, folder, host->sys);
	}
	ompp_feed_each(host->sys, "devices/system/cpu", "cpu", limit_cache, s);
	*state = s;
	return 0;
}

const struct ompp_sensor ompp_sensor_resctrl = { OMPP_SENSOR_VERSION,
	                                         "resctrl",
	                                         "last-level caches and memory bandwidth",
	                                         "cache",
	                                         resctrl_begin,
	                                         resctrl_sample,
	                                         free,
	                                         NULL };
