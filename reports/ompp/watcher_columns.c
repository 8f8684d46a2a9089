/*
 * Watcher columns: see watcher_columns.h.
 */
#include "reports/ompp/watcher_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/ompp/ompp.h"

enum { TIME_WIDTH = 10, LEAST_WIDTH = 8, WORD_BYTES = 160, NUMBER_BYTES = 40 };

/* The lines of a heading. */
enum row { SENSOR, EVENT, SOURCE, UNIT, ROWS };

int ompp_columns_are_new(const struct ompp_columns *c, const struct ompp_watch *watch)
{
	return !c->widths || c->generation != watch->generation;
}

static const char *word_of(const struct ompp_watch *watch, size_t i, enum row row, char word[WORD_BYTES])
{
	const struct ompp_watch_column *c = &watch->columns[i];
	const struct ompp_sensor_event *e = ompp_watch_event(watch, c);

	switch (row) {
	case SENSOR:
		return ompp_shown(watch->meters[c->meter].sensor->name);
	case EVENT:
		return ompp_shown(e->name);
	case SOURCE:
		return c->source == OMPP_WATCH_ALL ? "" : ompp_shown(ompp_watch_source(watch, c));
	default:
		snprintf(word, WORD_BYTES, "%s%s", ompp_shown(e->unit), e->kind == OMPP_SENSOR_COUNTER ? "/s" : "");
		return word;
	}
}

int ompp_columns_heading(struct ompp_columns *c, const struct ompp_watch *watch, FILE *out)
{
	char word[WORD_BYTES];
	int n_lines = 0, has_sources = 0;

	if (ompp_columns_are_new(c, watch)) {
		int *widths = realloc(c->widths, (watch->n_columns + 1) * sizeof(*widths));

		if (!widths)
			return -1;
		c->widths = widths;
		c->n = watch->n_columns;
		c->generation = watch->generation;
		for (size_t i = 0; i < c->n; i++) {
			int is_bytes = !strcmp(ompp_watch_event(watch, &watch->columns[i])->unit, "bytes");

			widths[i] = is_bytes ? LEAST_WIDTH + 4 : LEAST_WIDTH;
			for (enum row row = 0; row < ROWS; row++) {
				int n = (int)strlen(word_of(watch, i, row, word));

				widths[i] = n > widths[i] ? n : widths[i];
			}
		}
	}
	for (size_t i = 0; i < c->n; i++)
		has_sources |= watch->columns[i].source != OMPP_WATCH_ALL;
	for (enum row row = 0; row < ROWS; row++) {
		if (row == SOURCE && !has_sources)
			continue;
		fprintf(out, "%*s", TIME_WIDTH, row == EVENT ? "time" : row == UNIT ? "s" : "");
		for (size_t i = 0; i < c->n; i++)
			fprintf(out, " %*s", c->widths[i], word_of(watch, i, row, word));
		putc('\n', out);
		n_lines++;
	}
	return n_lines;
}

void ompp_columns_number(int is_known, double number, char *text, size_t n_text)
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

double ompp_columns_shown(const struct ompp_watch *watch, const struct ompp_watch_column *c, int *is_known)
{
	const struct ompp_sensor_event *e = ompp_watch_event(watch, c);
	struct ompp_meter_value v = ompp_watch_value(watch, c);
	int64_t elapsed_ns = ompp_meter_elapsed_ns(&watch->meters[c->meter]);
	double number = v.number * e->scale;

	*is_known = v.is_known;
	if (e->kind == OMPP_SENSOR_GAUGE)
		return number;
	*is_known &= elapsed_ns > 0;
	return elapsed_ns > 0 ? number * 1e9 / (double)elapsed_ns : 0;
}

void ompp_columns_line(const struct ompp_columns *c, const struct ompp_watch *watch, int64_t time_ns, FILE *out)
{
	fprintf(out, "%*.3f", TIME_WIDTH, (double)time_ns * 1e-9);
	for (size_t i = 0; i < c->n; i++) {
		char text[NUMBER_BYTES];
		int is_known;
		double number = ompp_columns_shown(watch, &watch->columns[i], &is_known);

		ompp_columns_number(is_known, number, text, sizeof(text));
		fprintf(out, " %*s", c->widths[i], text);
	}
	putc('\n', out);
}

void ompp_columns_free(struct ompp_columns *c)
{
	free(c->widths);
	*c = (struct ompp_columns){ 0 };
}
