/*
 * Text: tables for people, in the form that users of ompP know.
 *
 * Lines fit the terminal, or 100 columns in a file, wherever the content allows it: a grid that is wider continues
 * below with its first column repeated, and sentences are wrapped.  How many decimals a column of times has follows
 * from its smallest and its largest time.
 */
#include "reports/writers/writer.h"

#include <errno.h>
#include <string.h>

#include "reports/writers/look.h"
#include "runtime/base/text.h"

enum { BOLD = 1 }; /* a terminal's attribute, as colours have numbers (SGR) */
enum { LINE_COLUMNS = 100, BANNER_COLUMNS = 70, LABEL_COLUMNS = 16, LEAST_LINE = 20 };

static size_t banner_columns(const struct ompp_out *out)
{
	return out->columns && out->columns < BANNER_COLUMNS ? out->columns : BANNER_COLUMNS;
}

static void banner_line(struct ompp_out *out, const char *start, const char *words)
{
	size_t n = strlen(start) + strlen(words);

	ompp_out_str(out, start);
	ompp_out_str(out, words);
	ompp_out_fill(out, ' ', n + 4 < banner_columns(out) ? banner_columns(out) - 4 - n : 1);
	ompp_out_str(out, "----\n");
}

static void text_begin(struct ompp_out *out, const char *title, const char *tag, const char *remark)
{
	(void)tag;
	ompp_out_fill(out, '-', banner_columns(out));
	ompp_out_char(out, '\n');
	banner_line(out, "----     ompP ", title);
	if (remark[0])
		banner_line(out, "----     ", remark);
	ompp_out_fill(out, '-', banner_columns(out));
	ompp_out_char(out, '\n');
}

static void end(struct ompp_out *out, const char *title, const char *tag)
{
	(void)title;
	(void)tag;
	(void)out;
}

static size_t line_columns(const struct ompp_out *out)
{
	return out->columns ? out->columns : LINE_COLUMNS;
}

/* Writes a text of several lines, which begins in a column of the line, and is continued at the indent. */
static void text_wrapped(struct ompp_out *out, const char *s, size_t begin, size_t indent)
{
	size_t width = line_columns(out);
	int first = 1;

	if (!out->columns) /* a file has a margin at its right */
		begin = indent;
	if (width < indent + LEAST_LINE) /* a narrow terminal: words go on at its left */
		indent = width > 2 * LEAST_LINE ? width - LEAST_LINE : 2;
	do {
		size_t n = ompp_look_line(s, width > begin ? width - begin : 1, 0);

		if (!first)
			ompp_out_fill(out, ' ', indent);
		first = 0;
		begin = indent;
		ompp_out_write(out, s, n);
		ompp_out_char(out, '\n');
		s += n;
		while (*s == ' ')
			s++;
		if (*s == '\n')
			s++;
	} while (*s);
}

static void text_facts(struct ompp_out *out, const struct ompp_table *t, size_t n_rows)
{
	size_t width = t->columns[0].min_width > LABEL_COLUMNS ? t->columns[0].min_width : LABEL_COLUMNS;

	for (size_t row = 0; row < n_rows; row++) {
		const struct ompp_value *v = &t->values[row * t->n_columns];
		const char *label = v[0].kind == OMPP_KIND_TEXT ? ompp_look_clean(v[0].text, 0, t->arena) : "";
		char buffer[OMPP_LOOK_BYTES];
		size_t n = ompp_text_columns(label);

		ompp_out_str(out, label);
		ompp_out_fill(out, ' ', n < width ? width - n : 0);
		ompp_out_str(out, ": ");
		text_wrapped(out, ompp_look_value(&v[1], 2, t->arena, buffer).s, width + 2, width + 2);
	}
}

static void text_lines(struct ompp_out *out, const struct ompp_table *t, size_t n_rows)
{
	for (size_t i = 0; i < n_rows * t->n_columns; i++)
		if (t->columns[i % t->n_columns].where != OMPP_IN_RECORDS && t->values[i].kind == OMPP_KIND_TEXT)
			text_wrapped(out, ompp_look_clean(t->values[i].text, 1, t->arena), 0, 4);
}

static void grid_cell(struct ompp_out *out, struct ompp_shown shown, const struct ompp_column *column, size_t width,
                      int last)
{
	size_t blanks = shown.n_columns < width ? width - shown.n_columns : 0;

	if (!column->left)
		ompp_out_fill(out, ' ', blanks);
	ompp_out_write(out, shown.s, shown.n_bytes);
	if (column->left && !last)
		ompp_out_fill(out, ' ', blanks);
}

/* Writes the last cell of a row, whose text goes on below at a blank where the terminal ends.
 * begin: the column in which it begins */
static void last_cell(struct ompp_out *out, struct ompp_shown shown, const struct ompp_column *column, size_t width,
                      size_t begin)
{
	if (column->left && out->columns && begin + shown.n_columns > out->columns) {
		text_wrapped(out, shown.s, begin, begin); /* only numbers are not terminated, and they are not left */
		return;
	}
	grid_cell(out, shown, column, width, 1);
	ompp_out_char(out, '\n');
}

/* ---- terminals ---- */

/* Writes the escape sequence (SGR) for a colour number; 0 for the default colour. */
static void text_color(struct ompp_out *out, unsigned int number)
{
	char buffer[16];
	struct ompp_text t;

	if (!out->has_color)
		return;
	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, "\033[");
	ompp_text_u64(&t, number);
	ompp_text_char(&t, 'm');
	ompp_out_str(out, buffer);
}

/* Returns the colour of a row; 0 for none. */
static unsigned int color_of(const struct ompp_table *t, size_t row)
{
	static const unsigned char colors[OMPP_N_TONES] = {
		[OMPP_TONE_WORK] = 32, [OMPP_TONE_SYNCH] = 33,  [OMPP_TONE_IMBAL] = 31, [OMPP_TONE_LIMPAR] = 35,
		[OMPP_TONE_MGMT] = 36, [OMPP_TONE_SERIAL] = 34, [OMPP_TONE_BAD] = 31
	};

	return t->tones && t->tones[row] < OMPP_N_TONES ? colors[t->tones[row]] : 0;
}

/* Writes a bar of n columns at the most for a share of 10^-9, filled with blanks, and a blank. */
static void text_bar(struct ompp_out *out, const struct ompp_value *share, unsigned int n)
{
	static const char *const eighths[] = {
		"", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589"
	};
	int64_t all = 1000000000, part = share && share->kind == OMPP_KIND_SHARE ? share->number : 0;
	uint64_t filled, eighth;

	part = part < 0 ? 0 : part > all ? all : part;
	filled = (uint64_t)part * n * 8 / (uint64_t)all;
	eighth = out->has_blocks ? filled % 8 : 0;
	filled /= 8;
	for (uint64_t i = 0; i < filled; i++)
		ompp_out_str(out, out->has_blocks ? "\u2588" : "#");
	ompp_out_str(out, eighths[eighth]);
	ompp_out_fill(out, ' ', n - filled - (eighth != 0) + 1);
}

/* Returns the share of a row, of which a bar is drawn; NULL when it has none. */
static const struct ompp_value *share_of(const struct ompp_table *t, size_t row)
{
	for (size_t c = 0; c < t->n_columns; c++)
		if (t->values[row * t->n_columns + c].kind == OMPP_KIND_SHARE)
			return &t->values[row * t->n_columns + c];
	return NULL;
}

/* Writes the lines of the columns from `from` to the one before `to`, behind the first column. */
static void grid_part(struct ompp_out *out, const struct ompp_table *t, size_t n_rows, const struct ompp_look *looks,
                      const size_t *shown, size_t from, size_t to)
{
	char buffer[OMPP_LOOK_BYTES];

	for (size_t row = 0; row <= n_rows; row++) { /* row 0 is that of the titles */
		size_t begin = 0;

		if (!row)
			text_color(out, BOLD);
		else if (color_of(t, row - 1))
			text_color(out, color_of(t, row - 1));
		for (size_t i = 0; i < to; i = i ? i + 1 : from) {
			size_t c = shown[i];
			const struct ompp_column *column = &t->columns[c];
			struct ompp_shown cell = row ? ompp_look_value(&t->values[(row - 1) * t->n_columns + c],
			                                               looks[c].n_decimals, t->arena, buffer)
			                             : ompp_look_text(ompp_look_title(t, c));
			int has_bar = t->has_bars && out->bar_columns && i && i + 1 == to;

			if (i)
				ompp_out_char(out, ' ');
			if (has_bar)
				text_bar(out, row ? share_of(t, row - 1) : NULL, out->bar_columns);
			begin += (i != 0) + (has_bar ? out->bar_columns + 1 : 0);
			if (i + 1 == to && row && color_of(t, row - 1))
				text_color(out, 0);
			if (i + 1 == to)
				last_cell(out, cell, column, looks[c].width, begin);
			else
				grid_cell(out, cell, column, looks[c].width, 0);
			begin += looks[c].width;
		}
		if (!row)
			text_color(out, 0);
	}
}

/* Returns where a part of a wide grid ends.  Columns that belong together stay together if they fit on a line. */
static size_t part_end(const struct ompp_table *t, const size_t *shown, size_t n_shown, size_t from, size_t to)
{
	size_t end = to;

	while (end < n_shown && end > from && t->columns[shown[end]].joined)
		end--;
	return end > from ? end : to;
}

static void text_grid(struct ompp_out *out, const struct ompp_table *t, size_t n_rows)
{
	struct ompp_look *looks = ompp_arena_alloc(t->arena, t->n_columns * sizeof(*looks));
	size_t *shown = ompp_arena_alloc(t->arena, t->n_columns * sizeof(*shown));
	size_t n_shown = 0, from = 1;

	if (!looks || !shown) {
		out->rc = -ENOMEM;
		return;
	}
	for (size_t c = 0; c < t->n_columns; c++) {
		if (t->columns[c].where == OMPP_IN_RECORDS)
			continue;
		looks[c] = ompp_look(t, c, n_rows);
		shown[n_shown++] = c;
	}
	while (n_shown && from <= n_shown) {
		size_t to = from, width = looks[shown[0]].width;

		while (to < n_shown && (to == from || t->columns[shown[to]].left ||
		                        width + 1 + looks[shown[to]].width <= line_columns(out)))
			width += 1 + looks[shown[to++]].width;
		to = part_end(t, shown, n_shown, from, to);
		grid_part(out, t, n_rows, looks, shown, from, to);
		if (to >= n_shown)
			break;
		from = to;
	}
}

static void text_table(struct ompp_out *out, const struct ompp_table *t)
{
	size_t n_rows = ompp_table_n_rows(t);

	if (t->heading[0]) {
		text_color(out, BOLD);
		if (out->columns) {
			text_wrapped(out, ompp_look_clean(t->heading, 1, t->arena), 0, 4);
		} else {
			ompp_out_str(out, ompp_look_clean(t->heading, 1, t->arena));
			ompp_out_char(out, '\n');
		}
		text_color(out, 0);
	}
	if (t->style == OMPP_STYLE_FACTS)
		text_facts(out, t, n_rows);
	else if (t->style == OMPP_STYLE_LINES)
		text_lines(out, t, n_rows);
	else if (n_rows)
		text_grid(out, t, n_rows);
	if (!t->is_tight)
		ompp_out_char(out, '\n');
}

const struct ompp_writer ompp_writer_text = {
	.prints = OMPP_IN_TEXT, .begin = text_begin, .table = text_table, .end = end
};
