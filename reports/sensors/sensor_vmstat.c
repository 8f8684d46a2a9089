/*
 * Vmstat: what the kernel counts of memory, by the names of /proc/vmstat.
 */
#include "reports/sensors/feed.h"

#include <stdlib.h>
#include <string.h>

#include "reports/sensors/capacity.h"
#include "reports/sensors/sensor_vmstat.h"

struct state {
	struct ompp_feed feed;
	struct ompp_feed_rows rows;
};

static void vmstat_sample(struct ompp_sensor_host *host, void *state)
{
	struct state *s = state;
	const char *text = ompp_feed_read(&s->feed, host->proc, "vmstat");

	if (text)
		ompp_feed_rows(&s->rows, host, host->source(host, "all"), text);
}

static void vmstat_end(void *state)
{
	struct state *s = state;

	ompp_feed_rows_free(&s->rows);
	ompp_feed_end(s);
}

static int vmstat_begin(struct ompp_sensor_host *host, void **state)
{
	struct state *s;
	int rc = ompp_feed_begin(host, state, sizeof(*s), "vmstat", "it needs a kernel with CONFIG_VM_EVENT_COUNTERS");

	if (rc)
		return rc;
	s = *state;
	s->rows.describe = ompp_vmstat_describe;
	vmstat_sample(host, s);
	ompp_vmstat_limit(&s->rows, host, -1, ompp_capacity_memory(host));
	return 0;
}

const struct ompp_sensor ompp_sensor_vmstat = {
	OMPP_SENSOR_VERSION, "vmstat",     "memory: faults, allocations, reclaim, NUMA, swap",
	"machine",           vmstat_begin, vmstat_sample,
	vmstat_end,          NULL
};
