/*
 * Diskstats: what disks read and write: /proc/diskstats.  Partitions, and devices on top of other disks (dm, md) or in
 * memory (loop, ram, zram), are left out, as their bytes would count twice.
 */
#include "reports/sensors/feed.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIELDS = 11, SECTOR_BYTES = 512, BUSY = 9 };

/* clang-format off */
#define WRAP32 (UINT64_C(1) << 32)
/* The fields of a line; those without a name are left out.  Times are counted in 32 bits. */
static const struct ompp_sensor_event events[FIELDS] = {
	{ "reads", "times", "reads that were done", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	{ NULL, NULL, NULL, OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	{ "read", "bytes", "that were read", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, SECTOR_BYTES, 0, 0 },
	{ "read_time", "s", "time that reads took, added up", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 1e-3, WRAP32, 0 },
	{ "writes", "times", "writes that were done", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	{ NULL, NULL, NULL, OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	{ "written", "bytes", "that were written", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, SECTOR_BYTES, 0, 0 },
	{ "write_time", "s", "time that writes took, added up", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 1e-3, WRAP32, 0 },
	{ "pending", "requests", "that are not done yet", OMPP_SENSOR_GAUGE, OMPP_SENSOR_SUM, 0, 0, 0 },
	{ "busy", "s", "time in which a request was pending", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 1e-3, WRAP32, 0 },
	{ "queued", "s", "the same times the number of requests", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 1e-3, WRAP32, 0 },
};
/* clang-format on */

struct state {
	struct ompp_feed feed;
	int events[FIELDS];
	char **known; /* names of disks, with '+' in front of those that count and '-' in front of the others */
	size_t n_known;
};

/* Is the device with this name counted?  The answer is remembered, as it takes a system call. */
static int diskstats_counts(struct ompp_sensor_host *host, struct state *s, const char *name)
{
	char path[PATH_MAX], **known, entry[64];

	for (size_t i = 0; i < s->n_known; i++)
		if (!strcmp(s->known[i] + 1, name))
			return s->known[i][0] == '+';
	snprintf(path, sizeof(path), "%s/block/%s/device", host->sys, name);
	snprintf(entry, sizeof(entry), "%c%s", access(path, F_OK) ? '-' : '+', name);
	known = realloc(s->known, (s->n_known + 1) * sizeof(*known));
	if (known) {
		s->known = known;
		known[s->n_known] = strdup(entry);
		s->n_known += known[s->n_known] != NULL;
	}
	return entry[0] == '+';
}

static void diskstats_sample(struct ompp_sensor_host *host, void *state)
{
	struct state *s = state;
	const char *line = ompp_feed_read(&s->feed, host->proc, "diskstats");

	for (; line && *line; line = ompp_feed_line(line)) {
		const char *at = line;
		char name[40];
		int source;

		ompp_feed_skip(&at); /* major and minor number */
		ompp_feed_skip(&at);
		at += strspn(at, " ");
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(at, " \n"), at);
		ompp_feed_skip(&at);
		if (!name[0] || !diskstats_counts(host, s, name))
			continue;
		source = host->source(host, name);
		ompp_feed_set(host, at, s->events, FIELDS, source);
	}
}

static void diskstats_end(void *state)
{
	struct state *s = state;

	for (size_t i = 0; i < s->n_known; i++)
		free(s->known[i]);
	free(s->known);
	ompp_feed_end(s);
}

static int diskstats_begin(struct ompp_sensor_host *host, void **state)
{
	struct state *s;
	int n = 0;
	int rc = ompp_feed_begin(host, state, sizeof(*s), "diskstats", "mount proc");

	if (rc)
		return rc;
	s = *state;
	ompp_feed_events(host, events, FIELDS, s->events);
	host->limit(host, s->events[BUSY], -1, 1); /* it is wall-clock time */
	diskstats_sample(host, s);
	for (size_t i = 0; i < s->n_known; i++)
		n += s->known[i][0] == '+';
	if (!n) {
		diskstats_end(s);
		return host->lacks(host, "no disk in %s/diskstats that %s/block/*/device is there for", host->proc,
		                   host->sys);
	}
	return 0;
}

const struct ompp_sensor ompp_sensor_diskstats = {
	OMPP_SENSOR_VERSION, "diskstats", "what disks read and write", "disk", diskstats_begin, diskstats_sample,
	diskstats_end,       NULL
};
