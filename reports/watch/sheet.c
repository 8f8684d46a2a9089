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

static int is_same(const struct ompp_sheet_column *a, const struct ompp_sheet_column *b)
{
	return !strcmp(a->sensor, b->sensor) && !strcmp(a->event, b->event) &&
	       (a->source ? b->source && !strcmp(a->source, b->source) : !b->source);
}

/* Adds a copy of a column.  Returns 0 or -ENOMEM. */
static int add_copy(struct ompp_sheet *all, const struct ompp_sheet_column *c)
{
	struct ompp_sheet_column *columns = realloc(all->columns, (all->n + 1) * sizeof(*columns)), *copy;

	if (!columns)
		return -ENOMEM;
	all->columns = columns;
	copy = &columns[all->n];
	*copy = *c;
	copy->sensor = strdup(c->sensor);
	copy->event = strdup(c->event);
	copy->unit = strdup(c->unit);
	copy->source = c->source ? strdup(c->source) : NULL;
	copy->what = copy->of = NULL;
	all->n++;
	return copy->sensor && copy->event && copy->unit && (copy->source || !c->source) ? 0 : -ENOMEM;
}

int ompp_sheet_join(struct ompp_sheet *all, const struct ompp_sheet *sheet)
{
	int rc = 0;

	if (all->generation == sheet->generation)
		return 0; /* its columns were added before */
	all->generation = sheet->generation;
	for (size_t i = 0; i < sheet->n && !rc; i++) {
		size_t k = 0, n = all->n;

		/* most often the columns are the same, in the same order */
		for (; k < n && !is_same(&all->columns[(i + k) % n], &sheet->columns[i]); k++)
			;
		if (k == n)
			rc = add_copy(all, &sheet->columns[i]);
	}
	return rc;
}

void ompp_sheet_unjoin(struct ompp_sheet *all)
{
	for (size_t i = 0; i < all->n; i++) {
		free((char *)all->columns[i].sensor);
		free((char *)all->columns[i].event);
		free((char *)all->columns[i].unit);
		free((char *)all->columns[i].source);
	}
	ompp_sheet_free(all);
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
