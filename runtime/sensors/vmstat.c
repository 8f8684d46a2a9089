/*
 * Vmstat: what the kernel counts of memory, by the names of /proc/vmstat.
 */
#include "runtime/sensors/feed.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/sensors/vmstat.h"

struct state {
	struct ompp_feed feed;
	struct ompp_feed_rows rows;
};

static void sample(struct ompp_sensor_host *host, void *state)
{
	struct state *s = state;
	const char *text = ompp_feed_read(&s->feed, host->proc, "vmstat");

	if (text)
		ompp_feed_rows(&s->rows, host, host->source(host, "all"), text);
}

static void end(void *state)
{
	struct state *s = state;

	ompp_feed_close(&s->feed);
	ompp_feed_rows_free(&s->rows);
	free(s);
}

static int begin(struct ompp_sensor_host *host, void **state)
{
	struct state *s = calloc(1, sizeof(*s));
	int rc;

	if (!s)
		return host->lacks(host, "not enough memory");
	s->rows.describe = ompp_vmstat_describe;
	rc = ompp_feed_open(&s->feed, host, "vmstat", "it needs a kernel with CONFIG_VM_EVENT_COUNTERS");
	if (rc) {
		end(s);
		return rc;
	}
	sample(host, s);
	*state = s;
	return 0;
}

const struct ompp_sensor ompp_sensor_vmstat = { OMPP_SENSOR_VERSION,
	                                        "vmstat",
	                                        "memory: faults, allocations, reclaim, NUMA, swap",
	                                        "machine",
	                                        begin,
	                                        sample,
	                                        end,
	                                        NULL };
