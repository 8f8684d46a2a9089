/*
 * Meter: see meter.h.
 */
#include "reports/sensors/meter.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FIRST_EVENTS = 32, FIRST_SOURCES = 4 };

static int64_t clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static struct ompp_meter *meter_of(struct ompp_sensor_host *host)
{
	return (struct ompp_meter *)host;
}

/* ---- the numbers ---- */

static size_t meter_at(const struct ompp_meter *m, size_t event, size_t source)
{
	return source * m->room_events + event;
}

/* Moves an array of elements into one of the new shape.  Returns it; NULL without memory. */
static void *meter_reshaped(const void *old, size_t element, const struct ompp_meter *m, size_t events, size_t sources)
{
	char *array = calloc(events * sources, element);

	for (size_t s = 0; array && old && s < m->n_sources; s++)
		memcpy(array + s * events * element, (const char *)old + s * m->room_events * element,
		       m->n_events * element);
	return array;
}

/* Makes room for so many events and sources.  Returns 0 or -ENOMEM. */
static int meter_reshape(struct ompp_meter *m, size_t events, size_t sources)
{
	uint64_t *now = meter_reshaped(m->now, sizeof(*now), m, events, sources),
		 *before = meter_reshaped(m->before, sizeof(*before), m, events, sources),
		 *wraps = meter_reshaped(m->wraps, sizeof(*wraps), m, events, sources);
	double *limits = meter_reshaped(m->limits, sizeof(*limits), m, events, sources),
	       *limits_each = calloc(events, sizeof(*limits_each));
	unsigned char *is_now = meter_reshaped(m->is_now, 1, m, events, sources),
		      *is_before = meter_reshaped(m->is_before, 1, m, events, sources),
		      *is_met = meter_reshaped(m->is_met, 1, m, events, sources), *is_wanted = calloc(events, 1);
	struct ompp_sensor_event *told = calloc(events, sizeof(*told));
	char **names = calloc(sources, sizeof(*names));
	unsigned char *n_silent = calloc(sources, 1);

	if (!now || !before || !wraps || !limits || !limits_each || !is_now || !is_before || !is_met || !is_wanted ||
	    !told || !names || !n_silent) {
		free(now), free(before), free(wraps), free(is_now), free(is_before), free(is_met);
		free(is_wanted), free(told), free(names), free(n_silent), free(limits), free(limits_each);
		return -ENOMEM;
	}
	if (m->n_events) {
		memcpy(is_wanted, m->is_wanted, m->n_events);
		memcpy(told, m->events, m->n_events * sizeof(*told));
		memcpy(limits_each, m->limits_each, m->n_events * sizeof(*limits_each));
	}
	if (m->n_sources) {
		memcpy(names, m->sources, m->n_sources * sizeof(*names));
		memcpy(n_silent, m->n_silent, m->n_sources);
	}
	free(m->now), free(m->before), free(m->wraps), free(m->is_now), free(m->is_before), free(m->is_met);
	free(m->is_wanted), free(m->events), free(m->sources), free(m->n_silent), free(m->limits), free(m->limits_each);
	m->n_silent = n_silent;
	m->limits = limits;
	m->limits_each = limits_each;
	m->now = now, m->before = before, m->wraps = wraps, m->is_now = is_now, m->is_before = is_before,
	m->is_met = is_met;
	m->is_wanted = is_wanted, m->events = told, m->sources = names;
	m->room_events = events;
	m->room_sources = sources;
	return 0;
}

/* ---- functions that sensors call ---- */

static int add_event(struct ompp_sensor_host *host, const struct ompp_sensor_event *event)
{
	struct ompp_meter *m = meter_of(host);
	struct ompp_sensor_event copy = *event;

	if (m->n_events == m->room_events && meter_reshape(m, 2 * m->room_events, m->room_sources))
		return -1;
	copy.name = strdup(event->name);
	copy.unit = strdup(event->unit ? event->unit : "");
	copy.what = strdup(event->what ? event->what : "");
	copy.scale = event->scale > 0 ? event->scale : 1;
	if (!copy.name || !copy.unit || !copy.what) {
		free((char *)copy.name), free((char *)copy.unit), free((char *)copy.what);
		return -1;
	}
	m->events[m->n_events] = copy;
	m->is_wanted[m->n_events] = !event->is_extra;
	m->generation++;
	return (int)m->n_events++;
}

static int find_source(struct ompp_sensor_host *host, const char *name)
{
	struct ompp_meter *m = meter_of(host);
	size_t i = (size_t)m->next_source;

	if (i >= m->n_sources || strcmp(m->sources[i], name))
		for (i = 0; i < m->n_sources && strcmp(m->sources[i], name); i++)
			;
	if (i == m->n_sources) {
		if (m->n_sources == m->room_sources && meter_reshape(m, m->room_events, 2 * m->room_sources))
			return -1;
		m->sources[i] = strdup(name);
		if (!m->sources[i])
			return -1;
		m->n_sources++;
		m->generation++;
	}
	m->next_source = (int)i + 1;
	return (int)i;
}

static int is_there(const struct ompp_meter *m, int event, int source)
{
	return event >= 0 && source >= 0 && (size_t)event < m->n_events && (size_t)source < m->n_sources;
}

static void set_number(struct ompp_sensor_host *host, int event, int source, uint64_t number)
{
	struct ompp_meter *m = meter_of(host);
	size_t i;

	if (!is_there(m, event, source))
		return;
	i = meter_at(m, (size_t)event, (size_t)source);
	m->now[i] = number;
	m->is_now[i] = 1;
	m->generation += !m->is_met[i];
	m->is_met[i] = 1;
}

static void set_wrap(struct ompp_sensor_host *host, int event, int source, uint64_t wrap)
{
	struct ompp_meter *m = meter_of(host);

	if (is_there(m, event, source))
		m->wraps[meter_at(m, (size_t)event, (size_t)source)] = wrap;
}

static void set_limit(struct ompp_sensor_host *host, int event, int source, double limit)
{
	struct ompp_meter *m = meter_of(host);
	double known = isfinite(limit) && limit > 0 ? limit : 0, *place;

	if (event < 0 || (size_t)event >= m->n_events || (source >= 0 && !is_there(m, event, source)))
		return;
	place = source < 0 ? &m->limits_each[event] : &m->limits[meter_at(m, (size_t)event, (size_t)source)];
	m->generation += *place < known || *place > known;
	*place = known;
}

static int is_wanted(struct ompp_sensor_host *host, int event)
{
	const struct ompp_meter *m = meter_of(host);

	return event >= 0 && (size_t)event < m->n_events && m->is_wanted[event];
}

static int meter_lacks(struct ompp_sensor_host *host, const char *format, ...)
{
	struct ompp_meter *m = meter_of(host);
	va_list args;

	va_start(args, format);
	vsnprintf(m->why, sizeof(m->why), format, args);
	va_end(args);
	return -1;
}

/* ---- the meter ---- */

void ompp_meter_open(struct ompp_meter *m, const struct ompp_sensor *sensor, const char *proc, const char *sys, int pid)
{
	*m = (struct ompp_meter){ .sensor = sensor };
	m->host = (struct ompp_sensor_host){ proc,       sys,      pid,       add_event,   find_source,
		                             set_number, set_wrap, is_wanted, meter_lacks, set_limit };
	if (meter_reshape(m, FIRST_EVENTS, FIRST_SOURCES))
		meter_lacks(&m->host, "not enough memory");
	else
		m->is_open = !sensor->open(&m->host, &m->state);
	ompp_meter_forget(m);
}

void ompp_meter_close(struct ompp_meter *m)
{
	if (m->is_open && m->sensor->close)
		m->sensor->close(m->state);
	for (size_t i = 0; i < m->n_events; i++) {
		free((char *)m->events[i].name);
		free((char *)m->events[i].unit);
		free((char *)m->events[i].what);
	}
	for (size_t i = 0; i < m->n_sources; i++)
		free(m->sources[i]);
	free(m->now), free(m->before), free(m->wraps), free(m->is_now), free(m->is_before), free(m->is_met);
	free(m->is_wanted), free(m->events), free(m->sources), free(m->n_silent), free(m->limits), free(m->limits_each);
	*m = (struct ompp_meter){ 0 };
}

int ompp_meter_has(const struct ompp_meter *m, size_t event, size_t source)
{
	return m->is_met[meter_at(m, event, source)] && m->n_silent[source] < OMPP_METER_PATIENCE;
}

void ompp_meter_want(struct ompp_meter *m, size_t event, int wanted)
{
	m->is_wanted[event] = (unsigned char)wanted;
}

/* Notes which sources have gone, or come back. */
static void meter_listen(struct ompp_meter *m)
{
	for (size_t s = 0; s < m->n_sources; s++) {
		unsigned char before = m->n_silent[s];

		if (memchr(m->is_now + meter_at(m, 0, s), 1, m->n_events))
			m->n_silent[s] = 0;
		else if (before < OMPP_METER_PATIENCE)
			m->n_silent[s]++;
		m->generation += (before == OMPP_METER_PATIENCE) != (m->n_silent[s] == OMPP_METER_PATIENCE);
	}
}

void ompp_meter_sample(struct ompp_meter *m)
{
	uint64_t *numbers = m->before;
	unsigned char *is_set = m->is_before;
	int64_t begin_ns;

	if (!m->is_open)
		return;
	m->before = m->now;
	m->is_before = m->is_now;
	m->before_ns = m->now_ns;
	m->now = numbers;
	m->is_now = is_set;
	memset(m->is_now, 0, m->room_events * m->room_sources);
	m->next_source = 0;
	begin_ns = clock_ns();
	m->sensor->sample(&m->host, m->state);
	m->now_ns = begin_ns + (clock_ns() - begin_ns) / 2;
	meter_listen(m);
}

void ompp_meter_forget(struct ompp_meter *m)
{
	if (m->is_now)
		memset(m->is_now, 0, m->room_events * m->room_sources);
	m->now_ns = m->before_ns = 0;
}

int64_t ompp_meter_elapsed_ns(const struct ompp_meter *m)
{
	return m->before_ns ? m->now_ns - m->before_ns : 0;
}

/* Gets the growth of a counter.  Returns 0 when it went backwards. */
static int meter_growth(uint64_t before, uint64_t now, uint64_t wrap, double *grown)
{
	uint64_t n = now - before;

	if (wrap && now < before)
		n += wrap; /* modulo 2^64: now + wrap - before */
	*grown = (double)n;
	return n < (wrap ? wrap / 2 + 1 : UINT64_C(1) << 63);
}

struct ompp_meter_value ompp_meter_value(const struct ompp_meter *m, size_t event, size_t source)
{
	const struct ompp_sensor_event *e = &m->events[event];
	size_t i = meter_at(m, event, source);
	struct ompp_meter_value v = { 0 };

	if (!m->is_now[i])
		return v;
	if (e->kind == OMPP_SENSOR_GAUGE) {
		v.is_known = 1;
		v.number = (double)(int64_t)m->now[i];
	} else if (m->is_before[i] && m->before_ns) {
		v.is_known = meter_growth(m->before[i], m->now[i], m->wraps[i] ? m->wraps[i] : e->wrap, &v.number);
	}
	return v;
}

struct ompp_meter_value ompp_meter_together(const struct ompp_meter *m, size_t event)
{
	enum ompp_sensor_together together = m->events[event].together;
	struct ompp_meter_value all = { 0 };
	double n = 0;

	if (together == OMPP_SENSOR_NOTHING && m->n_sources > 1)
		return all;
	for (size_t s = 0; s < m->n_sources; s++) {
		struct ompp_meter_value v = ompp_meter_value(m, event, s);

		if (!v.is_known)
			continue;
		if (together == OMPP_SENSOR_MOST)
			all.number = !all.is_known || v.number > all.number ? v.number : all.number;
		else
			all.number += v.number;
		all.is_known = 1;
		n++;
	}
	if (all.is_known && together == OMPP_SENSOR_MEAN)
		all.number /= n;
	return all;
}

double ompp_meter_limit(const struct ompp_meter *m, size_t event, size_t source)
{
	double own = m->limits[meter_at(m, event, source)];

	return own > 0 ? own : m->limits_each[event];
}

double ompp_meter_limit_together(const struct ompp_meter *m, size_t event)
{
	enum ompp_sensor_together together = m->events[event].together;
	double all = 0;
	size_t n = 0;

	for (size_t s = 0; s < m->n_sources; s++) {
		double limit = ompp_meter_limit(m, event, s);

		if (!ompp_meter_has(m, event, s))
			continue;
		if (!(limit > 0))
			return 0;
		n++;
		if (together == OMPP_SENSOR_MOST)
			all = limit > all ? limit : all;
		else
			all += limit;
	}
	if (together == OMPP_SENSOR_NOTHING && n > 1)
		return 0;
	return together == OMPP_SENSOR_MEAN && n ? all / (double)n : all;
}
