/*
 * Sensors: ompp sensors, which lists what can be read over time on this machine, and why the rest cannot.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/command/arguments.h"
#include "reports/command/command_line.h"
#include "reports/command/listing.h"
#include "reports/report.h"
#include "reports/sensors/sensors.h"
#include "reports/sensors/watch.h"
#include "reports/tables/table.h"
#include "runtime/base/array.h"

enum { SOURCES_SHOWN = 4, WHY_BYTES = 512, SENSORS_MOST = 16 };

struct request {
	char **names;
	size_t n_names;
	const char *format;
	const struct ompp_sensor *sensors[SENSORS_MOST + 1];
	size_t n_sensors;
};

/* Loads a sensor of the user.  Returns 0, or -1 after a complaint. */
static int take_sensor(void *to, const char *option, const char *path)
{
	struct request *r = to;
	char why[WHY_BYTES] = "more sensors than fit; leave some out";

	if (r->n_sensors < SENSORS_MOST)
		r->sensors[r->n_sensors] = ompp_sensors_load(path, why, sizeof(why));
	if (r->n_sensors < SENSORS_MOST && r->sensors[r->n_sensors]) {
		r->n_sensors++;
		return 0;
	}
	(void)option;
	ompp_complain(path, "%s", why);
	return -1;
}

static const struct ompp_command_option options[] = {
	OMPP_FORMAT_ROW(ompp_take_format, ompp_report_format, struct request, format, "WORDS"),
	{ .name = "sensor",
	  .letter = 's',
	  .value = "FILE",
	  .take = take_sensor,
	  .help = "also load your own sensor from a shared library (see ompp_sensor.h)" },
};

static int is_meant(const struct request *r, const struct ompp_meter *m)
{
	for (size_t i = 0; i < r->n_names; i++)
		if (!strcmp(r->names[i], m->sensor->name))
			return 1;
	return !r->n_names;
}

static const struct ompp_watch *searched;

static const char *sensor_name(size_t i)
{
	return i < searched->n_meters ? searched->meters[i].sensor->name : NULL;
}

/* Is there a sensor of each name?  If not, it complains. */
static int are_known(const struct request *r, const struct ompp_watch *w)
{
	searched = w;
	for (size_t i = 0; i < r->n_names; i++) {
		const char *near;
		size_t k = 0;

		while (k < w->n_meters && strcmp(w->meters[k].sensor->name, r->names[i]))
			k++;
		if (k < w->n_meters)
			continue;
		near = ompp_nearest_typed(r->names[i], sensor_name);
		if (near)
			ompp_complain(r->names[i], "no such sensor; did you mean '%s'?", near);
		else
			ompp_complain(r->names[i], "no such sensor; 'ompp sensors' lists them");
		return 0;
	}
	return 1;
}

/* ---- text ---- */

static const char *unit_of(const struct ompp_sensor_event *e, char unit[64])
{
	snprintf(unit, 64, "%s%s", e->unit, e->kind == OMPP_SENSOR_COUNTER ? "/s" : "");
	return ompp_shown(unit);
}

/* Returns the limit of an event, when it is the same for each source; otherwise 0. */
static double limit_of(const struct ompp_meter *m, size_t event)
{
	double limit = m->n_sources ? ompp_meter_limit(m, event, 0) : m->limits_each[event];

	for (size_t s = 1; s < m->n_sources; s++) {
		double other = ompp_meter_limit(m, event, s);

		if (other < limit || other > limit)
			return 0;
	}
	return limit;
}

/* Says what limit the event has: ", at most 25600000000 bytes/s each". */
static void say_limit(const struct ompp_meter *m, size_t event, char text[96])
{
	double limit = limit_of(m, event);
	char unit[64];

	text[0] = '\0';
	if (limit > 0)
		snprintf(text, 96, ", at most %.10g %s each", limit, unit_of(&m->events[event], unit));
}

static void print_sensor(const struct ompp_meter *m, int with_events)
{
	size_t width = 12;
	char unit[64], limit[96];

	printf("%-10s  ", ompp_shown(m->sensor->name));
	if (!m->is_open) {
		printf("not here: %s\n", ompp_shown(m->why));
		return;
	}
	printf("%s: %zu event%s of %zu %s%s", ompp_shown(m->sensor->what), m->n_events, m->n_events == 1 ? "" : "s",
	       m->n_sources, m->n_sources == 1 ? "source" : "sources", m->n_sources ? " (" : "");
	for (size_t i = 0; i < m->n_sources && i < SOURCES_SHOWN; i++)
		printf("%s%s", i ? ", " : "", ompp_shown(m->sources[i]));
	printf("%s%s\n", m->n_sources > SOURCES_SHOWN ? " …" : "", m->n_sources ? ")" : "");
	for (size_t i = 0; i < m->n_events; i++)
		if (strlen(m->events[i].name) > width)
			width = strlen(m->events[i].name) < 40 ? strlen(m->events[i].name) : 40;
	for (size_t i = 0; i < m->n_events && with_events; i++) {
		say_limit(m, i, limit);
		printf("  %-*s  %-9s  %s%s\n", (int)width, ompp_shown(m->events[i].name), unit_of(&m->events[i], unit),
		       ompp_shown(m->events[i].what), limit);
	}
}

/* ---- for programs ---- */

static void sensors_put(struct ompp_table *table, const char *text)
{
	ompp_table_text(table, text && text[0] ? ompp_arena_strdup(table->arena, text) : "-");
}

/* e: NULL for a sensor without events */
static void put_event(struct ompp_table *table, const struct ompp_meter *m, const struct ompp_sensor_event *e)
{
	double most = e ? limit_of(m, (size_t)(e - m->events)) : 0;
	char limit[32];

	snprintf(limit, sizeof(limit), "%.10g", most);
	sensors_put(table, m->sensor->name);
	sensors_put(table, e ? e->name : NULL);
	sensors_put(table, e ? e->unit : NULL);
	sensors_put(table, !e ? NULL : e->kind == OMPP_SENSOR_GAUGE ? "gauge" : "counter");
	sensors_put(table, m->sensor->of);
	sensors_put(table, m->is_open ? "yes" : "no");
	sensors_put(table, e ? e->what : m->sensor->what);
	sensors_put(table, m->is_open ? NULL : m->why);
	sensors_put(table, most > 0 ? limit : NULL);
}

static int print_records(const struct request *r, const struct ompp_watch *w)
{
	static const char *const titles[] = { "sensor", "event",       "unit",   "kind", "of",
		                              "here",   "description", "reason", "limit" };
	struct ompp_table table;
	struct ompp_arena arena;
	int status;

	ompp_arena_init(&arena, 0);
	ompp_list_start(&table, &arena, titles, OMPP_COUNT_OF(titles));
	for (size_t i = 0; i < w->n_meters; i++) {
		const struct ompp_meter *m = &w->meters[i];

		if (!is_meant(r, m))
			continue;
		for (size_t e = 0; e < m->n_events && m->is_open; e++)
			put_event(&table, m, &m->events[e]);
		if (!m->is_open || !m->n_events)
			put_event(&table, m, NULL);
	}
	status = ompp_print_table(r->format, &table);
	ompp_arena_fini(&arena);
	return status;
}

static int sensors_main(int argc, char **argv)
{
	struct request r = { .names = argv, .format = "" };
	int status = ompp_command_words_of(&ompp_sensors_command, &r, argc, argv, &r.n_names);
	struct ompp_watch watch = { 0 };

	if (status) {
		status--;
	} else if (ompp_watch_open(&watch, "/proc", "/sys", 0, r.sensors)) {
		ompp_complain("sensors", "not enough memory");
		status = OMPP_EXIT_FAILED;
	} else if (!are_known(&r, &watch)) {
		status = OMPP_EXIT_FAILED;
	} else if (!ompp_report_is_text(r.format)) {
		status = print_records(&r, &watch);
	} else {
		for (size_t i = 0; i < watch.n_meters; i++)
			if (is_meant(&r, &watch.meters[i]))
				print_sensor(&watch.meters[i], r.n_names != 0);
		if (!r.n_names)
			puts("\n'ompp sensors NAME' lists a sensor's events; 'ompp stat -e NAME:EVENT' reads them.");
	}
	ompp_watch_close(&watch);
	return status;
}

const struct ompp_command ompp_sensors_command = {
	.name = "sensors",
	.usage = "[OPTIONS] [NAME...]",
	.brief = "list what can be read on this machine over time",
	.about = "Lists the sensors, that is, what can be read on this machine over time, and why the others\n"
		 "cannot be.  With NAMEs, lists the events of these sensors and their units.  'ompp stat' and\n"
		 "'ompp record' read them.\n",
	.tables = { { options, OMPP_COUNT_OF(options), 0 } },
	.run = sensors_main,
};
