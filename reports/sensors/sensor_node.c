/*
 * Node: memory of each NUMA node: numastat, meminfo and vmstat of /sys/devices/system/node.
 */
#include "reports/sensors/feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/sensors/capacity.h"
#include "reports/sensors/sensor_vmstat.h"

enum { FILES = 3 };

struct node {
	char name[16];
	struct ompp_feed feeds[FILES];
};

struct state {
	struct ompp_sensor_host *host;
	struct ompp_feed_rows rows[FILES];
	struct node *nodes;
	size_t n, room;
};

static const char folder[] = "devices/system/node";
static const char *const files[FILES] = { "numastat", "meminfo", "vmstat" };

static int describe_memory(const char *name, struct ompp_sensor_event *event)
{
	int is_pages = !strncmp(name, "HugePages_", 10);

	event->kind = OMPP_SENSOR_GAUGE;
	event->unit = is_pages ? "pages" : "bytes";
	event->what = is_pages ? "huge pages, as in meminfo" : "memory in this state, as in meminfo";
	return 1;
}

/* The rest of these is in numastat, under the names that users of numastat(8) know. */
static int describe_node(const char *name, struct ompp_sensor_event *event)
{
	if (!strncmp(name, "numa_", 5) && strncmp(name, "numa_pte", 8) && strncmp(name, "numa_h", 6) &&
	    strncmp(name, "numa_pages", 10))
		return 0;
	return strcmp(name, "numa_hit") && ompp_vmstat_describe(name, event);
}

/* Finds the node in the list, and adds it if it is new. */
static struct node *node_of(struct state *s, const char *name)
{
	struct node *nodes;

	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->nodes[i].name, name))
			return &s->nodes[i];
	if (s->n == s->room) {
		nodes = realloc(s->nodes, (s->room + 16) * sizeof(*nodes));
		if (!nodes)
			return NULL;
		s->nodes = nodes;
		s->room += 16;
	}
	snprintf(s->nodes[s->n].name, sizeof(s->nodes[s->n].name), "%.15s", name);
	for (int k = 0; k < FILES; k++)
		s->nodes[s->n].feeds[k] = OMPP_FEED;
	return &s->nodes[s->n++];
}

static void read_node(void *context, const char *name, int number)
{
	struct state *s = context;
	struct node *node = node_of(s, name);
	int source = s->host->source(s->host, name);

	(void)number;
	for (int k = 0; k < FILES && node; k++) {
		char path[80];
		const char *text;

		if (!ompp_feed_rows_wanted(&s->rows[k], s->host))
			continue;
		snprintf(path, sizeof(path), "%s/%s/%s", folder, node->name, files[k]);
		text = ompp_feed_read(&node->feeds[k], s->host->sys, path);
		if (text)
			ompp_feed_rows(&s->rows[k], s->host, source, text);
	}
}

static void node_sample(struct ompp_sensor_host *host, void *state)
{
	struct state *s = state;

	s->host = host;
	ompp_feed_each(host->sys, folder, "node", read_node, s);
}

/* No amount of a node's memory is above that of all of it. */
static void limit_node(struct state *s, struct node *node)
{
	const struct ompp_feed_rows *memory = &s->rows[1];
	int source = s->host->source(s->host, node->name);
	char path[80];
	double bytes;

	snprintf(path, sizeof(path), "%s/%s/meminfo", folder, node->name);
	bytes = ompp_capacity_of_text(ompp_feed_read(&node->feeds[1], s->host->sys, path));
	for (size_t i = 0; i < memory->n; i++)
		if (strncmp(memory->rows[i].name, "HugePages_", 10) && strcmp(memory->rows[i].name, "MemTotal"))
			s->host->limit(s->host, memory->rows[i].event, source, bytes);
	ompp_vmstat_limit(&s->rows[2], s->host, source, bytes);
}

static void node_end(void *state)
{
	struct state *s = state;

	for (size_t i = 0; i < s->n; i++)
		for (int k = 0; k < FILES; k++)
			ompp_feed_close(&s->nodes[i].feeds[k]);
	for (int k = 0; k < FILES; k++)
		ompp_feed_rows_free(&s->rows[k]);
	free(s->nodes);
	free(s);
}

static int node_begin(struct ompp_sensor_host *host, void **state)
{
	struct state *s = calloc(1, sizeof(*s));

	if (!s)
		return host->lacks(host, "not enough memory");
	s->rows[0].describe = ompp_vmstat_describe;
	s->rows[1].describe = describe_memory;
	s->rows[1].n_skipped = 2; /* "Node 0 MemFree: …" */
	s->rows[1].kilo = 1024;
	s->rows[2].describe = describe_node;
	node_sample(host, s);
	if (!s->n || !s->rows[0].n) {
		node_end(s);
		return host->lacks(host, "no %s/%s/node*; it needs a kernel with CONFIG_NUMA", host->sys, folder);
	}
	for (size_t i = 0; i < s->n; i++)
		limit_node(s, &s->nodes[i]);
	*state = s;
	return 0;
}

const struct ompp_sensor ompp_sensor_node = { OMPP_SENSOR_VERSION,
	                                      "node",
	                                      "memory of each NUMA node: numastat, meminfo, vmstat",
	                                      "NUMA node",
	                                      node_begin,
	                                      node_sample,
	                                      node_end,
	                                      NULL };
