/*
 * Recording: see recording.h.
 */
#define _GNU_SOURCE
#include "reports/watch/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/command/arguments.h"
#include "reports/watch/watch_json.h"

enum { DAMAGED = -3 };

struct event {
	const char *name, *unit, *what;
	int is_gauge;
	double scale;
};

struct sensor {
	const char *name, *of;
	struct event *events;
	size_t n_events;
};

struct recording {
	const struct ompp_sink *sink;
	struct ompp_recording_info *info;
	struct ompp_arena names; /* of the sensors and columns since the last header */
	struct sensor *sensors;
	size_t n_sensors;
	struct ompp_sheet sheet;
	size_t *places; /* by column: index of its elapsed time in a sample */
	size_t n_places;
	int is_open, is_lost; /* is_open: a header was read; is_lost: after that a line was damaged */
	unsigned int generation;
};

static int is_time(double t)
{
	return t >= 0 && t < 9e18;
}

static int64_t time_or_0(const struct ompp_json *line, const char *key)
{
	double t = ompp_json_number(line, key, 0);

	return is_time(t) ? (int64_t)t : 0;
}

static const char *recording_keep(struct recording *r, const char *text)
{
	return text ? ompp_arena_strdup(&r->names, text) : NULL;
}

static void recording_forget(struct recording *r)
{
	for (size_t i = 0; i < r->n_sensors; i++)
		free(r->sensors[i].events);
	free(r->sensors);
	r->sensors = NULL;
	r->n_sensors = 0;
	r->sheet.n = 0;
	ompp_arena_fini(&r->names);
	ompp_arena_init(&r->names, 0);
}

static int read_header(struct recording *r, const struct ompp_json *line)
{
	const char *kind = ompp_json_text(line, "ompp");

	if (strcmp(kind ? kind : "", "recording") || ompp_json_number(line, "version", 0) != 1)
		return DAMAGED;
	recording_forget(r);
	if (r->is_open)
		r->info->is_whole = 0;
	r->is_open = 1;
	r->is_lost = 0;
	r->info->interval_ns = time_or_0(line, "interval_ns");
	r->info->start_unix_ns = time_or_0(line, "start_unix_ns");
	return r->sink->start ? r->sink->start(r->sink->context, r->info) : 0;
}

static struct sensor *sensor_of(struct recording *r, const char *name)
{
	for (size_t i = 0; i < r->n_sensors && name; i++)
		if (!strcmp(r->sensors[i].name, name))
			return &r->sensors[i];
	return NULL;
}

static int read_event(struct recording *r, struct sensor *s, const struct ompp_json *from)
{
	const char *kind = ompp_json_text(from, "kind"), *unit = ompp_json_text(from, "unit"),
		   *what = ompp_json_text(from, "what");
	struct event *events = realloc(s->events, (s->n_events + 1) * sizeof(*events)), *e;

	if (!events)
		return -ENOMEM;
	s->events = events;
	e = &events[s->n_events];
	e->name = recording_keep(r, ompp_json_text(from, "name"));
	e->unit = recording_keep(r, unit ? unit : "");
	e->what = recording_keep(r, what ? what : "");
	e->is_gauge = kind && !strcmp(kind, "gauge");
	e->scale = ompp_json_number(from, "scale", 1);
	if (!e->name || !isfinite(e->scale))
		return DAMAGED;
	s->n_events++;
	return 0;
}

static int read_sensor(struct recording *r, const struct ompp_json *line)
{
	const char *name = ompp_json_text(line, "sensor"), *of = ompp_json_text(line, "of");
	const struct ompp_json *events = ompp_json_get(line, "events");
	struct sensor *s = sensor_of(r, name);
	int rc = 0;

	if (!name || !events || events->type != OMPP_JSON_LIST)
		return DAMAGED;
	if (!s) {
		s = realloc(r->sensors, (r->n_sensors + 1) * sizeof(*s));
		if (!s)
			return -ENOMEM;
		r->sensors = s;
		s += r->n_sensors++;
		*s = (struct sensor){ .name = recording_keep(r, name), .of = recording_keep(r, of ? of : "") };
	}
	s->n_events = 0;
	for (const struct ompp_json *e = events->first; e && !rc; e = e->next)
		rc = read_event(r, s, e);
	return rc;
}

static int read_column(struct recording *r, struct ompp_sheet_column *c, const struct ompp_json *names)
{
	const struct ompp_json *sensor = names->type == OMPP_JSON_LIST ? names->first : NULL,
			       *event = sensor ? sensor->next : NULL, *source = event ? event->next : NULL;
	struct sensor *s = sensor && sensor->type == OMPP_JSON_TEXT ? sensor_of(r, sensor->text) : NULL;

	if (!s || event == NULL || event->type != OMPP_JSON_TEXT || !source)
		return DAMAGED;
	for (size_t i = 0; i < s->n_events; i++) {
		const struct event *e = &s->events[i];

		if (strcmp(e->name, event->text))
			continue;
		*c = (struct ompp_sheet_column){ .sensor = s->name,
			                         .event = e->name,
			                         .unit = e->unit,
			                         .what = e->what,
			                         .of = s->of,
			                         .source = source->type == OMPP_JSON_TEXT
			                                         ? recording_keep(r, source->text)
			                                         : NULL,
			                         .is_gauge = e->is_gauge,
			                         .scale = e->scale,
			                         .meter = (size_t)(s - r->sensors) };
		return 0;
	}
	return DAMAGED;
}

static size_t recording_length(const struct ompp_json *list)
{
	size_t n = 0;

	for (const struct ompp_json *one = list->first; one; one = one->next)
		n++;
	return n;
}

static int read_columns(struct recording *r, const struct ompp_json *line)
{
	const struct ompp_json *columns = ompp_json_get(line, "columns"), *limits = ompp_json_get(line, "limits"),
			       *limit;
	size_t n, i = 0;
	size_t *places;
	int rc = 0;

	if (!columns || columns->type != OMPP_JSON_LIST)
		return DAMAGED;
	if (limits && (limits->type != OMPP_JSON_LIST || recording_length(limits) != recording_length(columns)))
		return DAMAGED;
	n = recording_length(columns);
	places = realloc(r->places, (n + 1) * sizeof(*places));
	if (!places || ompp_sheet_start(&r->sheet, n)) {
		r->places = places ? places : r->places;
		return -ENOMEM;
	}
	r->places = places;
	r->n_places = 0;
	r->sheet.generation = ++r->generation;
	limit = limits ? limits->first : NULL;
	for (const struct ompp_json *c = columns->first; c && !rc; c = c->next, i++) {
		size_t k = i ? i - 1 : 0; /* most often the sensor is that of the column before */

		rc = read_column(r, &r->sheet.columns[i], c);
		if (rc)
			break;
		if (limit && limit->type == OMPP_JSON_NUMBER && limit->number > 0 && isfinite(limit->number))
			r->sheet.columns[i].limit = limit->number;
		limit = limit ? limit->next : NULL;
		if (k < i && r->sheet.columns[k].meter != r->sheet.columns[i].meter)
			k = 0;
		while (k < i && r->sheet.columns[k].meter != r->sheet.columns[i].meter)
			k++;
		places[i] = k < i ? places[k] : r->n_places++;
	}
	if (rc)
		r->sheet.n = 0;
	return rc;
}

static int read_sample(struct recording *r, const struct ompp_json *line, double t)
{
	const struct ompp_json *elapsed = ompp_json_get(line, "dt"), *values = ompp_json_get(line, "v"), *v;
	double missed = ompp_json_number(line, "missed", 0);
	size_t i = 0;

	if (!elapsed || elapsed->type != OMPP_JSON_LIST || values->type != OMPP_JSON_LIST)
		return DAMAGED;
	v = values->first;
	for (; i < r->sheet.n && v; i++, v = v->next) {
		const struct ompp_json *e = elapsed->first;

		for (size_t k = 0; k < r->places[i] && e; k++)
			e = e->next;
		if (!e || e->type != OMPP_JSON_NUMBER || !is_time(e->number) ||
		    (v->type != OMPP_JSON_NUMBER && v->type != OMPP_JSON_NULL))
			return DAMAGED;
		r->sheet.columns[i].is_known = v->type == OMPP_JSON_NUMBER && isfinite(v->number);
		r->sheet.columns[i].number = v->number;
		r->sheet.columns[i].elapsed_ns = (int64_t)e->number;
	}
	if (i < r->sheet.n || v)
		return DAMAGED;
	r->sheet.time_ns = (int64_t)t;
	r->sheet.n_missed = is_time(missed) ? (uint64_t)missed : 0;
	r->info->n_samples++;
	r->info->n_missed += r->sheet.n_missed;
	return r->sink->sample ? r->sink->sample(r->sink->context, &r->sheet) : 0;
}

/* Reads whole numbers from `least` to below `end` into a new array.  Returns NULL when they are none, or without
 * memory. */
static int *read_numbers(const struct ompp_json *list, size_t n, int least, size_t end)
{
	int *numbers = malloc((n + 1) * sizeof(*numbers));
	const struct ompp_json *one = list->first;

	for (size_t i = 0; i < n && numbers; i++, one = one->next) {
		if (one->type != OMPP_JSON_NUMBER || !(one->number >= least) || !(one->number < (double)end) ||
		    one->number != floor(one->number)) {
			free(numbers);
			return NULL;
		}
		numbers[i] = (int)one->number;
	}
	return numbers;
}

/* Reads in which regions threads were. */
static int read_threads(struct recording *r, const struct ompp_json *line, double t)
{
	const struct ompp_json *regions = ompp_json_get(line, "regions"), *in = ompp_json_get(line, "threads"),
			       *waits = ompp_json_get(line, "waits");
	struct ompp_sheet_threads threads = { .time_ns = (int64_t)t };
	int rc = DAMAGED;

	if (!regions || regions->type != OMPP_JSON_LIST || in->type != OMPP_JSON_LIST || !waits ||
	    waits->type != OMPP_JSON_LIST || recording_length(waits) != recording_length(in) ||
	    recording_length(regions) > INT_MAX)
		return DAMAGED;
	threads.n = recording_length(in);
	threads.n_regions = recording_length(regions);
	threads.regions = malloc((threads.n_regions + 1) * sizeof(*threads.regions));
	threads.in = read_numbers(in, threads.n, -1, threads.n_regions);
	threads.is_waiting = read_numbers(waits, threads.n, 0, 2);
	if (threads.regions && threads.in && threads.is_waiting) {
		const struct ompp_json *one = regions->first;
		size_t i = 0;

		for (; one && one->type == OMPP_JSON_TEXT; one = one->next)
			threads.regions[i++] = one->text;
		if (i == threads.n_regions)
			rc = r->sink->threads ? r->sink->threads(r->sink->context, &threads) : 0;
	}
	free(threads.regions);
	free(threads.in);
	free(threads.is_waiting);
	return rc;
}

/* Returns 0, -1 when the sink has enough, DAMAGED, or -ENOMEM. */
static int recording_take(struct recording *r, const struct ompp_json *line)
{
	double t = ompp_json_number(line, "t", -1);
	const char *label = ompp_json_text(line, "label");
	const struct ompp_json *pause = ompp_json_get(line, "pause");

	if (!line)
		return DAMAGED;
	if (ompp_json_get(line, "ompp"))
		return read_header(r, line);
	if (!r->is_open || r->is_lost)
		return DAMAGED;
	if (ompp_json_get(line, "sensor"))
		return read_sensor(r, line);
	if (ompp_json_get(line, "columns"))
		return read_columns(r, line);
	if (!is_time(t))
		return DAMAGED;
	if (ompp_json_get(line, "v"))
		return read_sample(r, line, t);
	if (ompp_json_get(line, "threads"))
		return read_threads(r, line, t);
	if (label)
		return r->sink->label ? r->sink->label(r->sink->context, label, (int64_t)t) : 0;
	if (pause)
		return r->sink->pause ? r->sink->pause(r->sink->context, pause->number != 0, (int64_t)t) : 0;
	if (!ompp_json_get(line, "end"))
		return DAMAGED;
	r->is_open = 0;
	return r->sink->end ? r->sink->end(r->sink->context, (int64_t)t) : 0;
}

static int read_lines(struct recording *r, FILE *f, const char *path)
{
	struct ompp_arena arena;
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	int rc = 0;

	while (!rc && (n = getline(&line, &room, f)) > 0) {
		int is_cut = line[n - 1] != '\n' || strlen(line) != (size_t)n;

		r->info->n_bytes += (uint64_t)n;
		ompp_arena_init(&arena, 0);
		rc = recording_take(r, is_cut ? NULL : ompp_json_read(line, &arena));
		ompp_arena_fini(&arena);
		if (rc == DAMAGED && !r->generation && !r->is_open && !r->info->n_damaged &&
		    r->info->n_bytes == (uint64_t)n) {
			ompp_complain(path, "is no recording; give what 'ompp record' wrote; a program goes after --");
			rc = -2;
		} else if (rc == DAMAGED) {
			r->info->n_damaged += (uint64_t)n;
			r->is_lost = 1;
			rc = 0;
		} else if (rc == -ENOMEM) {
			ompp_complain(path, "not enough memory");
			rc = -2;
		}
	}
	free(line);
	return rc;
}

int ompp_recording_replay(const char *path, const struct ompp_sink *sink, struct ompp_recording_info *info)
{
	struct recording r = { .sink = sink, .info = info };
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY), rc;
	FILE *f = fd >= 0 ? fdopen(fd, "r") : NULL;

	*info = (struct ompp_recording_info){ .is_whole = 1 };
	if (!f) {
		ompp_complain(path, "cannot be opened: %s; give what 'ompp record' wrote; a program goes after --",
		              strerror(errno));
		if (fd >= 0)
			close(fd);
		return -2;
	}
	ompp_arena_init(&r.names, 0);
	rc = read_lines(&r, f, path);
	if (ferror(f) || (!rc && !info->n_bytes)) {
		ompp_complain(path, ferror(f) ? "cannot be read: %s" : "is empty; give what 'ompp record' wrote",
		              strerror(errno));
		rc = -2;
	}
	info->is_whole &= !r.is_open;
	recording_forget(&r);
	ompp_arena_fini(&r.names);
	ompp_sheet_free(&r.sheet);
	free(r.places);
	fclose(f);
	return rc;
}

void ompp_recording_tell_missed(const char *path, uint64_t n_samples, uint64_t n_missed)
{
	if (n_missed)
		ompp_complain(path,
		              "%llu of %llu intervals were missed, as reading took too long or others had the "
		              "processor; take fewer events by -e, a longer --interval, or --cpus",
		              (unsigned long long)n_missed, (unsigned long long)(n_samples + n_missed));
}

int ompp_recording_tell(const char *path, const struct ompp_recording_info *info)
{
	if (info->n_damaged)
		ompp_complain(path,
		              "%llu of %llu bytes are damaged, incomplete, or behind such bytes, and are left out",
		              (unsigned long long)info->n_damaged, (unsigned long long)info->n_bytes);
	ompp_recording_tell_missed(path, info->n_samples, info->n_missed);
	if (!info->is_whole)
		ompp_complain(path, "the recording was cut off; it ends with the last sample that was written");
	return 0;
}
