/*
 * Sheet: see sheet.h.
 */
#include "reports/watch/sheet.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ompp_sheet_start(struct ompp_sheet *s, size_t n)
{
	if (n > s->room) {
		struct ompp_sheet_column *columns = realloc(s->columns, n * sizeof(*columns));

		if (!columns)
			return -ENOMEM;
		s->columns = columns;
		s->room = n;
	}
	if (n)
		memset(s->columns, 0, n * sizeof(*s->columns));
	s->n = n;
	return 0;
}

void ompp_sheet_free(struct ompp_sheet *s)
{
	free(s->columns);
	*s = (struct ompp_sheet){ 0 };
}

static void name_columns(struct ompp_sheet *s, const struct ompp_watch *watch)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct ompp_watch_column *from = &watch->columns[i];
		const struct ompp_sensor_event *e = ompp_watch_event(watch, from);
		struct ompp_sheet_column *c = &s->columns[i];

		c->sensor = watch->meters[from->meter].sensor->name;
		c->of = watch->meters[from->meter].sensor->of;
		c->event = e->name;
		c->unit = e->unit;
		c->what = e->what;
		c->source = from->source == OMPP_WATCH_ALL ? NULL : ompp_watch_source(watch, from);
		c->is_gauge = e->kind == OMPP_SENSOR_GAUGE;
		c->scale = e->scale;
		c->limit = ompp_watch_limit(watch, from);
		c->meter = from->meter;
	}
	s->generation = watch->generation;
}

int ompp_sheet_fill(struct ompp_sheet *s, const struct ompp_watch *watch, int64_t time_ns)
{
	if (s->generation != watch->generation) {
		if (ompp_sheet_start(s, watch->n_columns))
			return -ENOMEM;
		name_columns(s, watch);
	}
	s->time_ns = time_ns;
	for (size_t i = 0; i < s->n; i++) {
		struct ompp_meter_value v = ompp_watch_value(watch, &watch->columns[i]);

		s->columns[i].is_known = v.is_known;
		s->columns[i].number = v.number;
		s->columns[i].elapsed_ns = ompp_meter_elapsed_ns(&watch->meters[watch->columns[i].meter]);
	}
	return 0;
}

double ompp_sheet_shown(const struct ompp_sheet_column *c, int *is_known)
{
	*is_known = c->is_known && (c->is_gauge || c->elapsed_ns > 0);
	if (!*is_known)
		return 0;
	return c->is_gauge ? c->number * c->scale : c->number * c->scale * 1e9 / (double)c->elapsed_ns;
}

void ompp_sheet_number(int is_known, double number, char *text, size_t n_text)
{
	double size = fabs(number);
	int digits = 0;

	if (!is_known) {
		snprintf(text, n_text, "-");
		return;
	}
	if (number != floor(number))
		for (; size < 1000 && digits < 3; digits++)
			size *= 10;
	snprintf(text, n_text, "%.*f", digits, number);
}
