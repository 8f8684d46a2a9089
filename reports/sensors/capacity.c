/*
 * Capacity: see capacity.h.
 */
#include "reports/sensors/capacity.h"

#include <string.h>

#include "reports/sensors/feed.h"

double ompp_capacity_cpus(const struct ompp_sensor_host *host)
{
	struct ompp_feed feed = OMPP_FEED;
	const char *line = ompp_feed_once(&feed, host->proc, "stat");
	double n = 0;

	for (; line && *line; line = ompp_feed_line(line))
		n += !strncmp(line, "cpu", 3) && line[3] >= '0' && line[3] <= '9';
	ompp_feed_close(&feed);
	return n;
}

double ompp_capacity_of_text(const char *meminfo)
{
	static const char word[] = "MemTotal:";
	const char *at = meminfo ? strstr(meminfo, word) : NULL;
	uint64_t kib;

	if (!at)
		return 0;
	at += strlen(word);
	return ompp_feed_take(&at, &kib) ? (double)kib * 1024 : 0;
}

double ompp_capacity_memory(const struct ompp_sensor_host *host)
{
	struct ompp_feed feed = OMPP_FEED;
	double bytes = ompp_capacity_of_text(ompp_feed_once(&feed, host->proc, "meminfo"));

	ompp_feed_close(&feed);
	return bytes;
}

int ompp_capacity_limit(struct ompp_sensor_host *host, int event, int source, const char *path, double factor)
{
	int64_t number;

	if (ompp_feed_number(host->sys, path, &number) || number <= 0)
		return 0;
	host->limit(host, event, source, (double)number * factor);
	return 1;
}
