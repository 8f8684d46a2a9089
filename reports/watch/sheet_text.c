/*
 * Sheet text: see sheet_text.h.
 */
#include "reports/watch/sheet_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "reports/command/arguments.h"
#include "reports/tables/fit.h"
#include "runtime/base/text.h"

enum { TERMINAL_LINES = 24, TIME_WIDTH = 10, LEAST_WIDTH = 8, WORD_BYTES = 160, NUMBER_BYTES = 400 };

/* The lines of a heading. */
enum row { SENSOR, EVENT, SOURCE, UNIT, ROWS };

/* Writes a name; a long one loses its middle, as names mostly differ at their ends. */
static void put_name(char word[WORD_BYTES], const char *name)
{
	struct ompp_text t;

	ompp_text_init(&t, word, WORD_BYTES);
	ompp_fit_middle(&t, name, WORD_BYTES - 10);
}

static const char *word_of(const struct ompp_sheet_column *c, enum row row, char word[WORD_BYTES])
{
	switch (row) {
	case SENSOR:
		snprintf(word, WORD_BYTES, "%s", c->sensor);
		break;
	case EVENT:
		put_name(word, c->event);
		break;
	case SOURCE:
		put_name(word, c->source ? c->source : "");
		break;
	default:
		snprintf(word, WORD_BYTES, "%s%s", c->unit, c->is_gauge ? "" : "/s");
	}
	return word;
}

/* Returns 0, or -1 without memory. */
static int sheet_text_measure(struct ompp_sheet_text *t, const struct ompp_sheet *sheet)
{
	char word[WORD_BYTES];
	int *widths = realloc(t->widths, (sheet->n + 1) * sizeof(*widths));

	if (!widths)
		return -1;
	t->widths = widths;
	t->n = sheet->n;
	t->generation = sheet->generation;
	for (size_t i = 0; i < t->n; i++) {
		widths[i] = strcmp(sheet->columns[i].unit, "bytes") ? LEAST_WIDTH : LEAST_WIDTH + 4;
		for (enum row row = 0; row < ROWS; row++) {
			int n = (int)strlen(ompp_shown(word_of(&sheet->columns[i], row, word)));

			widths[i] = n > widths[i] ? n : widths[i];
		}
	}
	return 0;
}

static void print_heading(struct ompp_sheet_text *t, const struct ompp_sheet *sheet)
{
	char word[WORD_BYTES];
	int has_sources = 0;

	for (size_t i = 0; i < t->n; i++)
		has_sources |= sheet->columns[i].source != NULL;
	t->n_lines = 0;
	for (enum row row = 0; row < ROWS; row++) {
		if (row == SOURCE && !has_sources)
			continue;
		fprintf(t->out, "%*s", TIME_WIDTH, row == EVENT ? "time" : row == UNIT ? "s" : "");
		for (size_t i = 0; i < t->n; i++)
			fprintf(t->out, " %*s", t->widths[i], ompp_shown(word_of(&sheet->columns[i], row, word)));
		putc('\n', t->out);
		t->n_lines++;
	}
}

static int lines_of_terminal(const struct ompp_sheet_text *t)
{
	struct winsize size;

	if (!isatty(fileno(t->out)))
		return 0;
	return ioctl(fileno(t->out), TIOCGWINSZ, &size) || size.ws_row < 8 ? TERMINAL_LINES : size.ws_row;
}

static int sheet_text_flush(struct ompp_sheet_text *t)
{
	if (!fflush(t->out))
		return 0;
	if (errno != EPIPE)
		ompp_complain(t->out == stdout ? "standard output" : "standard error", "cannot be written: %s",
		              strerror(errno));
	return -1;
}

static int print_sample(void *context, const struct ompp_sheet *sheet)
{
	struct ompp_sheet_text *t = context;
	int n_screen = lines_of_terminal(t);

	if (!t->widths || t->generation != sheet->generation || (n_screen && t->n_lines >= n_screen - 2)) {
		if (sheet_text_measure(t, sheet))
			return -1;
		print_heading(t, sheet);
	}
	fprintf(t->out, "%*.3f", TIME_WIDTH, (double)sheet->time_ns * 1e-9);
	for (size_t i = 0; i < t->n; i++) {
		char text[NUMBER_BYTES];
		int is_known;
		double number = ompp_sheet_shown(&sheet->columns[i], &is_known);

		ompp_sheet_number(is_known, number, text, sizeof(text));
		fprintf(t->out, " %*s", t->widths[i], text);
	}
	putc('\n', t->out);
	t->n_lines++;
	return sheet_text_flush(t);
}

static int print_label(void *context, const char *text, int64_t time_ns)
{
	struct ompp_sheet_text *t = context;

	fprintf(t->out, "%*.3f - %s -\n", TIME_WIDTH, (double)time_ns * 1e-9, ompp_shown(text));
	t->n_lines++;
	return sheet_text_flush(t);
}

static int print_pause(void *context, int is_paused, int64_t time_ns)
{
	return print_label(context, is_paused ? "pause" : "resume", time_ns);
}

struct ompp_sink ompp_sheet_text(struct ompp_sheet_text *t, FILE *out)
{
	*t = (struct ompp_sheet_text){ .out = out };
	return (struct ompp_sink){ .sample = print_sample, .label = print_label, .pause = print_pause, .context = t };
}

void ompp_sheet_text_free(struct ompp_sheet_text *t)
{
	free(t->widths);
	*t = (struct ompp_sheet_text){ 0 };
}
