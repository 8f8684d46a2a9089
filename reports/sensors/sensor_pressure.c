/*
 * Pressure: time in which threads had to wait for CPUs, memory and disks: /proc/pressure.
 */
#include "reports/sensors/feed.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES = 4 };

/* clang-format off */
static const struct { const char *file; struct ompp_sensor_event some, full; } kinds[FILES] = {
	{ "cpu",
	  { "cpu_some", "s", "time in which a thread waited for a CPU", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 1e-6, 0, 0 },
	  { "cpu_full", "s", "time in which all threads waited for a CPU", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 1e-6, 0, 0 } },
	{ "memory",
	  { "memory_some", "s", "time in which a thread waited for memory", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 1e-6, 0, 0 },
	  { "memory_full", "s", "time in which all threads waited for memory", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 1e-6, 0, 0 } },
	{ "io",
	  { "io_some", "s", "time in which a thread waited for a disk", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 1e-6, 0, 0 },
	  { "io_full", "s", "time in which all threads waited for a disk", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 1e-6, 0, 0 } },
	{ "irq",
	  { NULL, NULL, NULL, OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 0 },
	  { "irq_full", "s", "time in which all threads waited for interrupts", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 1e-6, 0, 0 } },
};
/* clang-format on */

struct state {
	struct ompp_feed feeds[FILES];
	int some[FILES], full[FILES];
};

static const char *read_file(struct ompp_sensor_host *host, struct state *s, int k)
{
	char path[64];

	snprintf(path, sizeof(path), "pressure/%s", kinds[k].file);
	return ompp_feed_read(&s->feeds[k], host->proc, path);
}

/* Sets the event to the total of the line "some avg10=0.00 … total=123". */
static void read_line(struct ompp_sensor_host *host, const char *text, const char *word, int event, int source)
{
	const char *line = strstr(text, word), *total = line ? strstr(line, "total=") : NULL;
	uint64_t number;

	if (!total || total > ompp_feed_line(line))
		return;
	total += strlen("total=");
	if (ompp_feed_take(&total, &number))
		host->set(host, event, source, number);
}

static void pressure_sample(struct ompp_sensor_host *host, void *state)
{
	struct state *s = state;
	int source = host->source(host, "all");

	for (int k = 0; k < FILES; k++) {
		const char *text = s->some[k] >= 0 || s->full[k] >= 0 ? read_file(host, s, k) : NULL;

		if (!text)
			continue;
		read_line(host, text, "some", s->some[k], source);
		read_line(host, text, "full", s->full[k], source);
	}
}

static void pressure_end(void *state)
{
	struct state *s = state;

	for (int k = 0; k < FILES; k++)
		ompp_feed_close(&s->feeds[k]);
	free(s);
}

static int pressure_begin(struct ompp_sensor_host *host, void **state)
{
	struct state *s = calloc(1, sizeof(*s));
	int n = 0, error = 0;

	if (!s)
		return host->lacks(host, "not enough memory");
	for (int k = 0; k < FILES; k++) {
		const char *text;

		s->feeds[k] = OMPP_FEED;
		s->some[k] = s->full[k] = -1;
		text = read_file(host, s, k);
		if (!text && k < FILES - 1)
			error = errno;
		if (text && strstr(text, "some") && kinds[k].some.name)
			s->some[k] = host->event(host, &kinds[k].some);
		if (text && strstr(text, "full"))
			s->full[k] = host->event(host, &kinds[k].full);
		host->limit(host, s->some[k], -1, 1); /* it is wall-clock time */
		host->limit(host, s->full[k], -1, 1);
		n += text != NULL;
	}
	if (!n) {
		pressure_end(s);
		return host->lacks(host, "%s/pressure cannot be read: %s; boot a kernel with CONFIG_PSI with psi=1",
		                   host->proc, strerror(error));
	}
	pressure_sample(host, s);
	*state = s;
	return 0;
}

const struct ompp_sensor ompp_sensor_pressure = { OMPP_SENSOR_VERSION,
	                                          "pressure",
	                                          "time lost to waiting for CPUs, memory and disks",
	                                          "machine",
	                                          pressure_begin,
	                                          pressure_sample,
	                                          pressure_end,
	                                          NULL };
