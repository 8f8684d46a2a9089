/*
 * Perf: the counters of `ompp counters`, counted by CPU for the whole machine: software of the kernel, hardware of the
 * cores, and units outside of them (uncore: memory controllers, links between sockets), each on the CPUs that its PMU
 * names.  This needs permission from the kernel.
 */
#include "reports/sensors/feed.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/text.h"
#include "runtime/counters/counter.h"
#include "runtime/counters/event.h"
#include "runtime/counters/pmu.h"
#include "runtime/counters/value.h"

enum { WHY_BYTES = 200 };

/* An event of the kernel on one CPU. */
struct opened {
	int fd, source;
	uint64_t id;
	int32_t factor;
	struct ompp_event_reading last;
};

struct counted {
	char name[OMPP_COUNTER_NAME];
	int event, is_tried;
	struct opened *opened;
	size_t n;
	int n_sources;  /* of the sums, which are by source */
	__int128 *sums; /* of factor × count, scaled by time enabled / time running */
	int32_t mul, shift;
};

struct state {
	struct ompp_sensor_host *host;
	struct counted *counters;
	size_t n, room;
	const struct ompp_pmu *pmu; /* whose events are being listed */
	struct ompp_feed feed;
};

/* Adds a counter by its name.  Returns its number of the host, or -1. */
static int perf_add(struct state *s, const char *name, const char *unit, const char *what)
{
	struct ompp_sensor_event event = {
		name, unit && unit[0] ? unit : "times", what, OMPP_SENSOR_COUNTER, OMPP_SENSOR_SUM, 0, 0, 1
	};
	struct counted *c;

	if (!strcmp(event.unit, "ns")) {
		event.unit = "s";
		event.scale = 1e-9;
	}
	if (s->n == s->room) {
		c = realloc(s->counters, (s->room + 64) * sizeof(*c));
		if (!c)
			return -1;
		s->counters = c;
		s->room += 64;
	}
	c = &s->counters[s->n];
	memset(c, 0, sizeof(*c));
	snprintf(c->name, sizeof(c->name), "%s", name);
	c->event = s->host->event(s->host, &event);
	s->n += c->event >= 0;
	return c->event;
}

/* ---- what there is ---- */

static int list_software(void *context, const struct ompp_counter *counter)
{
	struct state *s = context;

	if (ompp_counter_is_own(counter))
		return 0;
	if (strcmp(counter->source, "kernel"))
		return 1; /* stop after the kernel's own counters: the others are named by PMU, or take long to list */
	perf_add(s, counter->name, counter->unit, counter->what);
	return 0;
}

static int list_event(void *context, const char *name)
{
	struct state *s = context;
	char whole[OMPP_COUNTER_NAME], why[WHY_BYTES];
	struct ompp_counter counter;
	struct ompp_text t;

	if ((size_t)snprintf(whole, sizeof(whole), "%s/%s/", s->pmu->name, name) >= sizeof(whole))
		return 0;
	ompp_text_init(&t, why, sizeof(why));
	if (!ompp_counter_find(whole, strlen(whole), &counter, &t))
		perf_add(s, whole, counter.unit,
		         counter.what && counter.what[0] ? counter.what : "as its PMU counts it");
	return 0;
}

static int list_pmu(void *context, const struct ompp_pmu *pmu)
{
	struct state *s = context;

	if (!pmu->is_machine)
		return 0;
	s->pmu = pmu;
	ompp_pmu_events(pmu, list_event, s);
	return 0;
}

static int perf_find(struct ompp_sensor_host *host, void *state, const char *name)
{
	struct state *s = state;
	char why[WHY_BYTES];
	struct ompp_counter counter;
	struct ompp_text t;

	ompp_text_init(&t, why, sizeof(why));
	s->host = host;
	if (ompp_counter_find(name, strlen(name), &counter, &t) || ompp_counter_is_own(&counter))
		return host->lacks(host, "%s", why[0] ? why : "only programs built with kinst --access have it");
	return perf_add(s, name, counter.unit, counter.what);
}

/* ---- counting ---- */

static int open_one(struct state *s, struct counted *c, const struct ompp_event_code *code, int cpu)
{
	struct opened *more = realloc(c->opened, (c->n + 1) * sizeof(*more)), *o;
	char name[24];
	int rc;

	if (!more)
		return -ENOMEM;
	c->opened = more;
	o = &more[c->n];
	memset(o, 0, sizeof(*o));
	o->fd = ompp_event_open_on_cpu(code, cpu);
	if (o->fd < 0)
		return o->fd;
	o->id = ompp_event_id(o->fd);
	o->factor = code->factor;
	rc = ompp_event_enable(o->fd);
	if (rc) {
		ompp_event_close(o->fd, o->id);
		return rc;
	}
	snprintf(name, sizeof(name), "cpu%d", cpu);
	o->source = s->host->source(s->host, name);
	if (o->source >= c->n_sources) {
		__int128 *sums = realloc(c->sums, ((size_t)o->source + 1) * sizeof(*sums));

		if (!sums)
			return -ENOMEM;
		memset(sums + c->n_sources, 0, ((size_t)(o->source + 1 - c->n_sources)) * sizeof(*sums));
		c->sums = sums;
		c->n_sources = o->source + 1;
	}
	c->n++;
	return 0;
}

static void close_all(struct counted *c)
{
	while (c->n) {
		c->n--;
		ompp_event_close(c->opened[c->n].fd, c->opened[c->n].id);
	}
}

/* Opens the events of a counter on each CPU of a list "0-3,8". */
static int open_on(struct state *s, struct counted *c, const struct ompp_counter *counter, const char *cpus)
{
	uint64_t first, last;
	int rc = 0;

	while (*cpus >= '0' && *cpus <= '9' && !rc) {
		ompp_feed_take(&cpus, &first);
		last = first;
		if (*cpus == '-') {
			cpus++;
			ompp_feed_take(&cpus, &last);
		}
		for (; first <= last && !rc; first++)
			for (uint32_t i = 0; i < counter->n_events && !rc; i++)
				rc = open_one(s, c, &counter->event[i], (int)first);
		cpus += *cpus == ',';
	}
	return rc;
}

static void perf_try(struct state *s, struct counted *c)
{
	struct ompp_counter counter;
	char why[WHY_BYTES];
	const char *cpus;
	struct ompp_text t;
	int rc;

	c->is_tried = 1;
	ompp_text_init(&t, why, sizeof(why));
	rc = ompp_counter_find(c->name, strlen(c->name), &counter, &t);
	if (rc) {
		s->host->lacks(s->host, "%s: %s", c->name, why);
		return;
	}
	c->mul = counter.scale_mul;
	c->shift = counter.scale_shift;
	cpus = counter.kind == OMPP_COUNTER_NODE ? counter.cpus
	                                         : ompp_feed_once(&s->feed, s->host->sys, "devices/system/cpu/online");
	rc = cpus ? open_on(s, c, &counter, cpus) : -ENODEV;
	if (!rc)
		return;
	close_all(c);
	ompp_event_explain_counting(&t, -rc, 2, 1);
	s->host->lacks(s->host, "%s: %s", c->name, why);
}

static void read_one(struct ompp_sensor_host *host, struct counted *c)
{
	for (size_t i = 0; i < c->n; i++) {
		struct opened *o = &c->opened[i];
		struct ompp_event_reading now;
		int64_t enabled, running, grown;

		if (ompp_event_read_group(o->fd, o->id, 1, &now))
			continue;
		enabled = (int64_t)(now.enabled_ns - o->last.enabled_ns);
		running = (int64_t)(now.running_ns - o->last.running_ns);
		grown = (int64_t)(now.counts[0] - o->last.counts[0]);
		if (ompp_value_is_partial(enabled, running))
			grown = ompp_value_of_all(grown, enabled, running);
		if (grown == OMPP_MISSING)
			continue;
		o->last = now;
		c->sums[o->source] += (__int128)grown * o->factor;
		host->set(host, c->event, o->source,
		          (uint64_t)ompp_value_in_unit(c->sums[o->source], c->mul, c->shift));
	}
}

static void perf_sample(struct ompp_sensor_host *host, void *state)
{
	struct state *s = state;

	s->host = host;
	for (size_t i = 0; i < s->n; i++) {
		struct counted *c = &s->counters[i];

		if (!host->wants(host, c->event))
			continue;
		if (!c->is_tried)
			perf_try(s, c);
		read_one(host, c);
	}
}

static void perf_end(void *state)
{
	struct state *s = state;

	for (size_t i = 0; i < s->n; i++) {
		close_all(&s->counters[i]);
		free(s->counters[i].opened);
		free(s->counters[i].sums);
	}
	ompp_feed_close(&s->feed);
	free(s->counters);
	free(s);
}

static int perf_begin(struct ompp_sensor_host *host, void **state)
{
	struct state *s = calloc(1, sizeof(*s));
	struct ompp_counter counter;
	char why[WHY_BYTES];
	struct ompp_text t;
	int fd;

	if (!s)
		return host->lacks(host, "not enough memory");
	s->host = host;
	s->feed = OMPP_FEED;
	ompp_text_init(&t, why, sizeof(why));
	fd = ompp_counter_find("context-switches", strlen("context-switches"), &counter, &t)
	           ? -ENODEV
	           : ompp_event_open_on_cpu(&counter.event[0], 0);
	if (fd < 0) {
		ompp_event_explain_counting(&t, -fd, 2, 1);
		perf_end(s);
		return host->lacks(host, "%s", why);
	}
	ompp_event_close(fd, ompp_event_id(fd));
	ompp_counter_each(list_software, s);
	ompp_pmu_each(list_pmu, s);
	*state = s;
	return 0;
}

const struct ompp_sensor ompp_sensor_perf = {
	OMPP_SENSOR_VERSION,
	"perf",
	"counters of the kernel and of PMUs, by CPU (as ompp counters names them)",
	"CPU",
	perf_begin,
	perf_sample,
	perf_end,
	perf_find
};
