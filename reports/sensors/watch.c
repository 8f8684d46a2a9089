/*
 * Watch: see watch.h.
 */
#include "reports/sensors/watch.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/sensors/program.h"
#include "reports/sensors/sensors.h"
#include "runtime/base/nearest.h"

enum { PATTERN_BYTES = 256 };

/* The parts of a pattern; those that it does not have are NULL. */
struct parts {
	char text[PATTERN_BYTES];
	const char *sensor, *event, *source;
};

/* Splits a pattern.  Returns 0, or -EINVAL if it is too long. */
static int watch_split(const char *pattern, struct parts *p)
{
	char *colon, *at;

	*p = (struct parts){ .sensor = NULL };
	if (strlen(pattern) >= sizeof(p->text))
		return -EINVAL;
	strcpy(p->text, pattern);
	p->sensor = p->text;
	colon = strchr(p->text, ':');
	at = strrchr(colon ? colon : p->text, '@');
	if (at) {
		*at = '\0';
		p->source = at + 1;
	}
	if (colon) {
		*colon = '\0';
		p->event = colon + 1;
	}
	return 0;
}

int ompp_watch_open(struct ompp_watch *w, const char *proc, const char *sys, int pid,
                    const struct ompp_sensor *const *more)
{
	size_t n = 0, n_more = 0;

	*w = (struct ompp_watch){ 0 };
	while (ompp_sensors(n))
		n++;
	while (more && more[n_more])
		n_more++;
	w->meters = calloc(n + n_more, sizeof(*w->meters));
	if (!w->meters)
		return -ENOMEM;
	w->n_meters = n + n_more;
	w->watched = w->pid = pid;
	for (size_t i = 0; i < w->n_meters; i++)
		ompp_meter_open(&w->meters[i], i < n ? ompp_sensors(i) : more[i - n], proc, sys, pid);
	return 0;
}

void ompp_watch_close(struct ompp_watch *w)
{
	for (size_t i = 0; i < w->n_meters; i++)
		ompp_meter_close(&w->meters[i]);
	for (size_t i = 0; i < w->n_patterns; i++)
		free(w->patterns[i]);
	free(w->meters);
	free(w->columns);
	*w = (struct ompp_watch){ 0 };
}

/* ---- patterns ---- */

static int is_event(const struct parts *p, const struct ompp_sensor_event *e)
{
	if (!p->event)
		return !e->is_extra;
	if (!strcmp(p->event, e->name))
		return 1;
	return !e->is_extra && !fnmatch(p->event, e->name, 0);
}

/* Asks a sensor for an event, by name, that it did not list. */
static int find_event(struct ompp_meter *m, const struct parts *p)
{
	for (size_t i = 0; i < m->n_events; i++)
		if (!strcmp(m->events[i].name, p->event))
			return 1;
	return m->sensor->find && !strpbrk(p->event, "*?") && m->sensor->find(&m->host, m->state, p->event) >= 0;
}

static size_t n_events(const struct ompp_meter *m, const struct parts *p)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_events; i++)
		n += (size_t)is_event(p, &m->events[i]);
	return n;
}

/* For ompp_nearest(): names of sensors, or of events of one. */
static const struct ompp_watch *named;
static const struct ompp_meter *named_meter;

static const char *sensor_name(size_t i)
{
	return i < named->n_meters ? named->meters[i].sensor->name : NULL;
}

static const char *event_name(size_t i)
{
	return i < named_meter->n_events ? named_meter->events[i].name : NULL;
}

/* Writes that there is no such event, with the nearest name, or another sensor that has an event of that name. */
static int no_event(const struct ompp_watch *w, const struct parts *p, char *why, size_t n_why)
{
	const char *word = p->event ? p->event : p->sensor, *near = NULL;
	size_t n = strlen(word);

	named = w;
	if (!p->event) {
		near = ompp_nearest(word, n, sensor_name, (unsigned int)n / 3 + 1);
		for (size_t i = 0; i < w->n_meters && !near; i++)
			for (size_t k = 0; k < w->meters[i].n_events; k++)
				if (!strcmp(w->meters[i].events[k].name, word)) {
					snprintf(why, n_why, "no sensor '%s'; did you mean '%s:%s'?", word,
					         w->meters[i].sensor->name, word);
					return -ENOENT;
				}
		snprintf(why, n_why, "no sensor '%s'; %s%s%s", word,
		         near ? "did you mean '" : "'ompp sensors' lists them", near ? near : "", near ? "'?" : "");
		return -ENOENT;
	}
	for (size_t i = 0; i < w->n_meters && !near; i++) {
		named_meter = &w->meters[i];
		if (!fnmatch(p->sensor, named_meter->sensor->name, 0))
			near = ompp_nearest(word, n, event_name, (unsigned int)n / 3 + 1);
	}
	if (near)
		snprintf(why, n_why, "%s has no event '%s'; did you mean '%s:%s'?", p->sensor, word, p->sensor, near);
	else
		snprintf(why, n_why, "%s has no event '%s'; 'ompp sensors %s' lists them", p->sensor, word, p->sensor);
	return -ENOENT;
}

/* Finds out whether there is anything for the pattern. */
static int watch_check(struct ompp_watch *w, const struct parts *p, char *why, size_t n_why)
{
	const struct ompp_meter *absent = NULL;
	size_t n = 0, n_sensors = 0, n_coming = 0; /* coming: sensors that are open, but have no events yet */

	for (size_t i = 0; i < w->n_meters; i++) {
		struct ompp_meter *m = &w->meters[i];

		if (fnmatch(p->sensor, m->sensor->name, 0))
			continue;
		n_sensors++;
		if (!m->is_open) {
			absent = m;
			continue;
		}
		n_coming += !m->n_events;
		m->why[0] = '\0';
		if (p->event && !strchr(p->sensor, '*') && !find_event(m, p) && m->why[0] && !strpbrk(p->event, "*?")) {
			snprintf(why, n_why, "%s: %s", p->event, m->why);
			m->why[0] = '\0';
			return -ENOENT;
		}
		n += n_events(m, p);
	}
	if (n)
		return 0;
	if (n_sensors == 1 && absent) {
		snprintf(why, n_why, "not on this machine: %s", absent->why);
		return -ENODEV;
	}
	if (n_coming && !p->event)
		return 0;
	if (n_sensors && !p->event) { /* all of its events are extra, or it has none yet */
		snprintf(why, n_why, "'%s' has events only by their names; 'ompp sensors %s' lists them", p->sensor,
		         p->sensor);
		return -ENOENT;
	}
	if (!n_sensors && p->event) {
		struct parts sensor = *p;

		sensor.event = NULL;
		return no_event(w, &sensor, why, n_why);
	}
	return no_event(w, p, why, n_why);
}

int ompp_watch_enable(struct ompp_watch *w, const char *pattern, char *why, size_t n_why)
{
	struct parts p;
	int rc = watch_split(pattern, &p);

	if (rc || !p.sensor[0] || (p.event && !p.event[0]) || (p.source && !p.source[0])) {
		snprintf(why, n_why, "not a pattern; write SENSOR, SENSOR:EVENT or SENSOR:EVENT@SOURCE");
		return -EINVAL;
	}
	rc = watch_check(w, &p, why, n_why);
	if (rc)
		return rc;
	for (size_t i = 0; i < w->n_patterns; i++)
		if (!strcmp(w->patterns[i], pattern))
			return 0;
	if (w->n_patterns == OMPP_WATCH_PATTERNS) {
		snprintf(why, n_why, "more than %d patterns; use * and ?", OMPP_WATCH_PATTERNS);
		return -ENOMEM;
	}
	w->patterns[w->n_patterns] = strdup(pattern);
	if (!w->patterns[w->n_patterns])
		return -ENOMEM;
	w->n_patterns++;
	w->seen = 0;
	return 0;
}

int ompp_watch_disable(struct ompp_watch *w, const char *pattern, char *why, size_t n_why)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n_patterns; i++)
		if (strcmp(pattern, "*") && strcmp(pattern, w->patterns[i]))
			w->patterns[n++] = w->patterns[i];
		else
			free(w->patterns[i]);
	if (n == w->n_patterns) {
		snprintf(why, n_why, "is not enabled; write it as it was enabled");
		return -ENOENT;
	}
	w->n_patterns = n;
	w->seen = 0;
	return 0;
}

int ompp_watch_fits(const char *pattern, const char *sensor, const char *event, const char *source)
{
	struct parts p;

	return !watch_split(pattern, &p) && !fnmatch(p.sensor, sensor, 0) &&
	       (!p.event || !strcmp(p.event, event) || !fnmatch(p.event, event, 0)) &&
	       (!p.source || (source && !fnmatch(p.source, source, 0)));
}

int ompp_watch_each_pattern(const char *list, int (*found)(void *context, const char *pattern), void *context)
{
	int rc = 0;

	while (*list && !rc) {
		char pattern[PATTERN_BYTES];
		size_t n = 0;
		int is_inside = 0;

		for (; list[n] && (list[n] != ',' || is_inside); n++)
			is_inside ^= list[n] == '/';
		if (is_inside) /* unbalanced slash */
			n = strcspn(list, ",");
		snprintf(pattern, sizeof(pattern), "%.*s", (int)(n < sizeof(pattern) ? n : sizeof(pattern) - 1), list);
		if (n)
			rc = found(context, pattern);
		list += n + (list[n] == ',');
	}
	return rc;
}

/* ---- columns ---- */

/* Adds a column unless it exists; this is checked only if an earlier pattern matched the event. */
static int add_column(struct ompp_watch *w, size_t meter, size_t event, int source, int may_be_there)
{
	for (size_t i = 0; i < w->n_columns && may_be_there; i++)
		if (w->columns[i].meter == meter && w->columns[i].event == event && w->columns[i].source == source)
			return 0;
	if (w->n_columns == w->room_columns) {
		size_t room = w->room_columns ? 2 * w->room_columns : 256;
		struct ompp_watch_column *columns = realloc(w->columns, room * sizeof(*columns));

		if (!columns)
			return -ENOMEM;
		w->columns = columns;
		w->room_columns = room;
	}
	w->columns[w->n_columns++] = (struct ompp_watch_column){ meter, event, source };
	return 0;
}

static int add_event(struct ompp_watch *w, size_t meter, size_t event, const char *sources)
{
	struct ompp_meter *m = &w->meters[meter];
	int is_met = m->is_wanted[event], rc = 0;

	ompp_meter_want(m, event, 1);
	if (!sources && !w->is_discrete)
		return add_column(w, meter, event, OMPP_WATCH_ALL, is_met);
	for (size_t s = 0; s < m->n_sources && !rc; s++)
		if (ompp_meter_has(m, event, s) && (!sources || !fnmatch(sources, m->sources[s], 0)))
			rc = add_column(w, meter, event, (int)s, is_met);
	return rc;
}

/* Returns a number that changes when a sensor has a new event or source; never 0. */
static unsigned int state_of(const struct ompp_watch *w)
{
	unsigned int sum = 1;

	for (size_t i = 0; i < w->n_meters; i++)
		sum += w->meters[i].generation;
	return sum;
}

int ompp_watch_columns(struct ompp_watch *w)
{
	unsigned int state = state_of(w);
	int rc = 0;

	if (state == w->seen)
		return 0;
	w->seen = state;
	w->generation++;
	w->n_columns = 0;
	for (size_t i = 0; i < w->n_meters; i++) {
		w->meters[i].is_watched = 0;
		for (size_t e = 0; e < w->meters[i].n_events; e++)
			ompp_meter_want(&w->meters[i], e, 0);
	}
	for (size_t k = 0; k < w->n_patterns && !rc; k++) {
		struct parts p;

		watch_split(w->patterns[k], &p);
		for (size_t i = 0; i < w->n_meters && !rc; i++) {
			struct ompp_meter *m = &w->meters[i];

			if (!m->is_open || fnmatch(p.sensor, m->sensor->name, 0))
				continue;
			m->is_watched = 1;
			for (size_t e = 0; e < m->n_events && !rc; e++)
				if (is_event(&p, &m->events[e]))
					rc = add_event(w, i, e, p.source);
		}
	}
	return rc;
}

/* Has the sensors read the program that the watched process runs, which may have started since. */
static void watch_follow(struct ompp_watch *w)
{
	int pid = w->watched ? ompp_program_pid(w->meters[0].host.proc, w->watched, w->pid) : 0;

	for (size_t i = 0; i < w->n_meters && pid != w->pid; i++)
		w->meters[i].host.pid = pid;
	w->pid = pid;
}

void ompp_watch_sample(struct ompp_watch *w)
{
	watch_follow(w);
	for (size_t i = 0; i < w->n_meters; i++)
		if (w->meters[i].is_watched)
			ompp_meter_sample(&w->meters[i]);
}

void ompp_watch_forget(struct ompp_watch *w)
{
	for (size_t i = 0; i < w->n_meters; i++)
		ompp_meter_forget(&w->meters[i]);
}

const struct ompp_sensor_event *ompp_watch_event(const struct ompp_watch *w, const struct ompp_watch_column *c)
{
	return &w->meters[c->meter].events[c->event];
}

const char *ompp_watch_source(const struct ompp_watch *w, const struct ompp_watch_column *c)
{
	return c->source == OMPP_WATCH_ALL ? "all" : w->meters[c->meter].sources[c->source];
}

struct ompp_meter_value ompp_watch_value(const struct ompp_watch *w, const struct ompp_watch_column *c)
{
	const struct ompp_meter *m = &w->meters[c->meter];

	return c->source == OMPP_WATCH_ALL ? ompp_meter_together(m, c->event)
	                                   : ompp_meter_value(m, c->event, (size_t)c->source);
}

double ompp_watch_limit(const struct ompp_watch *w, const struct ompp_watch_column *c)
{
	const struct ompp_meter *m = &w->meters[c->meter];

	return c->source == OMPP_WATCH_ALL ? ompp_meter_limit_together(m, c->event)
	                                   : ompp_meter_limit(m, c->event, (size_t)c->source);
}
