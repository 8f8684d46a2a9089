/*
 * Cgroup: memory and CPU time of the control group of the watched program, or of ompp's own without one; version 2, or
 * the hierarchies memory and cpuacct of version 1.
 */
#include "reports/sensors/feed.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/array.h"

enum { FILES = 4, NAME_BYTES = 512 };

/* Version 1 writes no limit as the largest number of bytes in pages. */
#define UNLIMITED (UINT64_C(1) << 60)

struct state {
	struct ompp_feed feeds[FILES];
	char paths[FILES][NAME_BYTES]; /* below /sys; "": not there */
	struct ompp_feed_rows rows[FILES];
	int in_use, cpu_ns; /* events of files with one number */
};

/* clang-format off */
/* The first two have a number, the others lines. */
enum file { IN_USE, CPU_NS, MEMORY_STAT, CPU_STAT };
static const struct { const char *folder, *controller, *files[FILES]; } versions[] = {
	{ "fs/cgroup", "", { "memory.current", NULL, "memory.stat", "cpu.stat" } },
	{ "fs/cgroup/unified", "", { "memory.current", NULL, "memory.stat", "cpu.stat" } },
	{ "fs/cgroup/memory", "memory", { "memory.usage_in_bytes", NULL, "memory.stat", NULL } },
	{ "fs/cgroup/cpuacct", "cpuacct", { NULL, "cpuacct.usage", NULL, NULL } },
	{ "fs/cgroup/cpu,cpuacct", "cpuacct", { NULL, "cpuacct.usage", NULL, NULL } },
};
/* clang-format on */

static int describe_memory(const char *name, struct ompp_sensor_event *event)
{
	static char unique[80]; /* the host copies it */
	int is_counter = !strncmp(name, "pg", 2) || !strncmp(name, "thp_", 4) || !strncmp(name, "workingset_", 11) ||
	                 !strncmp(name, "zswp", 4) || !strncmp(name, "swpin", 5) || !strncmp(name, "swpout", 6) ||
	                 !strncmp(name, "numa_", 5);

	snprintf(unique, sizeof(unique), "memory.%.70s", name);
	event->name = unique;
	event->kind = is_counter ? OMPP_SENSOR_COUNTER : OMPP_SENSOR_GAUGE;
	event->unit = is_counter ? "times" : "bytes";
	event->what = is_counter ? "as memory.stat counts it" : "memory in this state, as in memory.stat";
	return strncmp(name, "total_", 6) && strncmp(name, "hierarchical_", 13);
}

static int describe_cpu(const char *name, struct ompp_sensor_event *event)
{
	static char unique[80]; /* the host copies it */
	size_t n = strlen(name);
	int is_time = n > 5 && !strcmp(name + n - 5, "_usec");

	snprintf(unique, sizeof(unique), "cpu.%.*s", (int)(is_time ? n - 5 : n), name);
	event->name = unique;
	event->unit = is_time ? "s" : "times";
	event->scale = is_time ? 1e-6 : 1;
	event->what = is_time ? "time, as in cpu.stat" : "as cpu.stat counts it";
	return n < sizeof(unique) - 8;
}

/* Gets the path of the group in the hierarchy of a controller ("" for version 2) from a line such as "0::/path". */
static int group_of(const char *text, const char *controller, char path[NAME_BYTES])
{
	for (; *text; text = ompp_feed_line(text)) {
		const char *list = strchr(text, ':'), *group = list ? strchr(list + 1, ':') : NULL;
		size_t n = strlen(controller), n_path;

		if (!group || group > ompp_feed_line(text))
			continue;
		if (!n && group != list + 1)
			continue;
		for (list++; n && list < group && (strncmp(list, controller, n) || (list[n] != ',' && list[n] != ':'));
		     list++)
			list = list + strcspn(list, ",:");
		if (n && list >= group)
			continue;
		group++;
		n_path = strcspn(group, "\n");
		if (n_path >= NAME_BYTES)
			return 0;
		memcpy(path, group, n_path);
		path[n_path] = '\0';
		return 1;
	}
	return 0;
}

static void find_files(struct ompp_sensor_host *host, struct state *s, const char *text)
{
	for (size_t v = 0; v < OMPP_COUNT_OF(versions); v++) {
		char group[NAME_BYTES], path[NAME_BYTES + 128], whole[PATH_MAX];

		if (!group_of(text, versions[v].controller, group))
			continue;
		for (int i = 0; i < FILES; i++) {
			if (!versions[v].files[i] || s->paths[i][0])
				continue;
			snprintf(path, sizeof(path), "%s%s/%s", versions[v].folder, strcmp(group, "/") ? group : "",
			         versions[v].files[i]);
			snprintf(whole, sizeof(whole), "%s/%s", host->sys, path);
			if (strlen(path) < NAME_BYTES && !access(whole, R_OK))
				memcpy(s->paths[i], path, strlen(path) + 1);
		}
	}
}

static void cgroup_sample(struct ompp_sensor_host *host, void *state)
{
	struct state *s = state;
	int source = host->source(host, "group");

	for (int i = 0; i < FILES; i++) {
		const char *text = s->paths[i][0] ? ompp_feed_read(&s->feeds[i], host->sys, s->paths[i]) : NULL;
		uint64_t number;

		if (!text)
			continue;
		if (s->rows[i].describe)
			ompp_feed_rows(&s->rows[i], host, source, text);
		else if (ompp_feed_take(&text, &number))
			host->set(host, i == IN_USE ? s->in_use : s->cpu_ns, source, number);
	}
}

/* Reads a file beside one of the group's. */
static const char *read_beside(struct ompp_feed *feed, const struct ompp_sensor_host *host, const char *file,
                               const char *name)
{
	char path[NAME_BYTES + 32];
	const char *slash = strrchr(file, '/');

	snprintf(path, sizeof(path), "%.*s/%s", slash ? (int)(slash - file) : 0, file, name);
	return slash ? ompp_feed_once(feed, host->sys, path) : NULL;
}

/* Sets the limits that are the group's own, of memory and, in version 2, of CPU time: "50000 100000" is half a CPU. */
static void cgroup_limit(struct ompp_sensor_host *host, struct state *s)
{
	static const char *const times[] = { "usage_usec", "user_usec", "system_usec" };
	const struct ompp_feed_rows *rows = &s->rows[CPU_STAT];
	struct ompp_feed feed = OMPP_FEED;
	const char *text = read_beside(&feed, host, s->paths[IN_USE], "memory.max");
	uint64_t quota = 0, period = 0;

	text = text ? text : read_beside(&feed, host, s->paths[IN_USE], "memory.limit_in_bytes");
	if (text && ompp_feed_take(&text, &quota) && quota < UNLIMITED)
		host->limit(host, s->in_use, -1, (double)quota);
	text = read_beside(&feed, host, s->paths[CPU_STAT], "cpu.max");
	if (!text || !ompp_feed_take(&text, &quota) || !ompp_feed_take(&text, &period))
		period = 0;
	ompp_feed_close(&feed);
	for (size_t i = 0; i < rows->n && period; i++)
		for (size_t k = 0; k < OMPP_COUNT_OF(times); k++)
			if (!strcmp(rows->rows[i].name, times[k]))
				host->limit(host, rows->rows[i].event, -1, (double)quota / (double)period);
}

static void cgroup_end(void *state)
{
	struct state *s = state;

	for (int i = 0; i < FILES; i++) {
		ompp_feed_close(&s->feeds[i]);
		ompp_feed_rows_free(&s->rows[i]);
	}
	free(s);
}

static int cgroup_begin(struct ompp_sensor_host *host, void **state)
{
	static const struct ompp_sensor_event in_use = {
		"memory", "bytes", "in use by the group", OMPP_SENSOR_GAUGE, OMPP_SENSOR_SUM, 0, 0, 0
	};
	static const struct ompp_sensor_event cpu_ns = {
		"cpu", "s", "CPU time of the group", OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 1e-9, 0, 0
	};
	struct state *s = calloc(1, sizeof(*s));
	char path[40] = "self/cgroup";
	const char *text;

	if (!s)
		return host->lacks(host, "not enough memory");
	for (int i = 0; i < FILES; i++)
		s->feeds[i] = OMPP_FEED;
	if (host->pid)
		snprintf(path, sizeof(path), "%d/cgroup", host->pid);
	text = ompp_feed_once(&s->feeds[0], host->proc, path);
	if (text)
		find_files(host, s, text);
	if (!s->paths[IN_USE][0] && !s->paths[CPU_NS][0] && !s->paths[CPU_STAT][0]) {
		cgroup_end(s);
		return host
		        ->lacks(host,
		                "the control group has no files of memory or CPU time in %s/fs/cgroup (the topmost has "
		                "none); run in a group of its own, as by systemd-run --scope",
		                host->sys);
	}
	s->in_use = s->paths[IN_USE][0] ? host->event(host, &in_use) : -1;
	s->cpu_ns = s->paths[CPU_NS][0] ? host->event(host, &cpu_ns) : -1;
	s->rows[MEMORY_STAT].describe = describe_memory;
	s->rows[CPU_STAT].describe = describe_cpu;
	cgroup_sample(host, s);
	cgroup_limit(host, s);
	*state = s;
	return 0;
}

const struct ompp_sensor ompp_sensor_cgroup = {
	OMPP_SENSOR_VERSION, "cgroup",     "memory and CPU time of the program's control group",
	"control group",     cgroup_begin, cgroup_sample,
	cgroup_end,          NULL
};
