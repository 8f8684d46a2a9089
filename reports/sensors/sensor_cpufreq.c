/*
 * Cpufreq: the frequency of each CPU: /sys/devices/system/cpu/cpuN/cpufreq/scaling_cur_freq.
 */
#include "reports/sensors/capacity.h"
#include "reports/sensors/feed.h"

#include <stdio.h>
#include <stdlib.h>

static const char folder[] = "devices/system/cpu";

struct state {
	struct ompp_sensor_host *host;
	int frequency, n;
};

static void read_cpu(void *context, const char *name, int number)
{
	struct state *s = context;
	char path[96];
	int64_t khz;

	(void)number;
	snprintf(path, sizeof(path), "%s/%s/cpufreq/scaling_cur_freq", folder, name);
	if (ompp_feed_number(s->host->sys, path, &khz))
		return;
	s->host->set(s->host, s->frequency, s->host->source(s->host, name), (uint64_t)khz);
	s->n++;
}

/* A CPU that is switched on later has no limit. */
static void limit_cpu(void *context, const char *name, int number)
{
	struct state *s = context;
	char path[96];

	(void)number;
	snprintf(path, sizeof(path), "%s/%s/cpufreq/cpuinfo_max_freq", folder, name);
	ompp_capacity_limit(s->host, s->frequency, s->host->source(s->host, name), path, 1000);
}

static void cpufreq_sample(struct ompp_sensor_host *host, void *state)
{
	struct state *s = state;

	s->host = host;
	if (host->wants(host, s->frequency))
		ompp_feed_each(host->sys, folder, "cpu", read_cpu, s);
}

static int cpufreq_begin(struct ompp_sensor_host *host, void **state)
{
	static const struct ompp_sensor_event frequency = {
		"frequency", "Hz", "of the CPU now", OMPP_SENSOR_GAUGE, OMPP_SENSOR_MEAN, 1000, 0, 0
	};
	struct state *s = calloc(1, sizeof(*s));

	if (!s)
		return host->lacks(host, "not enough memory");
	s->frequency = host->event(host, &frequency);
	cpufreq_sample(host, s);
	if (!s->n) {
		free(s);
		return host->lacks(host,
		                   "no %s/%s/cpu*/cpufreq/scaling_cur_freq; it needs a cpufreq driver, which virtual "
		                   "machines mostly have none of",
		                   host->sys, folder);
	}
	ompp_feed_each(host->sys, folder, "cpu", limit_cpu, s);
	*state = s;
	return 0;
}

const struct ompp_sensor ompp_sensor_cpufreq = {
	OMPP_SENSOR_VERSION, "cpufreq", "frequencies of CPUs", "CPU", cpufreq_begin, cpufreq_sample, free, NULL
};
