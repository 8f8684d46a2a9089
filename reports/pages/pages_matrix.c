/*
 * Pages matrix: how many pages each two threads both use, on the terminal and as SVG.
 */
#include <stdio.h>
#include <string.h>

#include "reports/pages/pages_sharing.h"
#include "reports/pages/pages_svg.h"
#include "reports/web/color.h"
#include "runtime/base/text.h"

/* Returns the pages of the pair that has most of them. */
static uint64_t most_pages(const struct ompp_pages_sharing *s)
{
	uint64_t most = 0;

	for (size_t i = 0; i < s->n_threads * s->n_threads; i++)
		most = s->pairs[i].n_pages > most ? s->pairs[i].n_pages : most;
	return most;
}

/* ---- text ---- */

enum { MOST_IN_TEXT = 32 };

static int say_too_wide(struct ompp_flow_look *look, size_t n_threads)
{
	char buffer[128];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, "The matrix of ");
	ompp_text_u64(&t, n_threads);
	ompp_text_str(&t, " threads is too wide for text; --svg=FILE writes it as a picture.");
	ompp_flow_table(look, "", "");
	look->table.style = OMPP_STYLE_LINES;
	ompp_flow_left(look, "note", OMPP_IN_BOTH);
	ompp_flow_text(look, ompp_arena_strdup(look->arena, buffer));
	return ompp_flow_print(look);
}

int ompp_pages_matrix_text(struct ompp_flow_look *look, const struct ompp_pages_sharing *s)
{
	static const char marks[] = " .:-=+*#%@";
	uint64_t most = most_pages(s);

	if (!most)
		return 0;
	if (s->n_threads > MOST_IN_TEXT)
		return say_too_wide(look, s->n_threads);
	ompp_flow_table(look, "",
	                ompp_pages_heading(look, "The matrix of pages that each two threads both use (each mark twice "
	                                         "the one before: .:-=+*#%@; \\ is the thread itself):"));
	ompp_flow_column(look, "thread", OMPP_IN_BOTH);
	ompp_flow_left(look, "threads", OMPP_IN_BOTH);
	for (size_t a = 0; a < s->n_threads; a++) {
		char line[MOST_IN_TEXT + 3];
		size_t b;

		line[0] = '|';
		for (b = 0; b < s->n_threads; b++)
			line[b + 1] = a == b ? '\\'
			                     : marks[ompp_svg_strength((double)ompp_pages_pair(s, a, b)->n_pages,
			                                               (double)most, sizeof(marks) - 2)];
		line[b + 1] = '|';
		line[b + 2] = '\0';
		ompp_flow_number(look, (uint32_t)a);
		ompp_flow_text(look, ompp_arena_strdup(look->arena, line));
	}
	return ompp_flow_print(look);
}

/* ---- SVG ---- */

enum {
	LEFT = 60,
	TOP = 84, /* with room for two lines of ompp_pages_heading() */
	LINE = 16,
	RIGHT = 20,
	ALL = 640,       /* approximate width of the picture with many threads */
	MOST_SIZE = 24,  /* of a cell with few threads */
	MOST_CELLS = 256 /* in a row; with more threads, a cell stands for several */
};

/* How the matrix is drawn. */
struct matrix {
	const struct ompp_pages_sharing *sharing;
	size_t each;  /* threads of a row, or column */
	size_t n;     /* rows, and columns */
	size_t size;  /* of a cell, in pixels */
	size_t label; /* every so many rows and columns have a number */
};

static struct matrix pages_matrix_layout(const struct ompp_pages_sharing *s)
{
	static const size_t steps[] = { 2, 5, 10, 20, 50, 100, 200, 500, 1000 };
	struct matrix m = { .sharing = s, .each = 1 + (s->n_threads - !!s->n_threads) / MOST_CELLS, .label = 1 };

	m.n = (s->n_threads + m.each - 1) / m.each;
	m.size = m.n * MOST_SIZE <= ALL ? MOST_SIZE : ALL / m.n;
	for (size_t i = 0; m.label * m.size < MOST_SIZE && i < sizeof(steps) / sizeof(steps[0]); i++)
		m.label = steps[i];
	return m;
}

/* Writes the number of a row's first and last thread. */
static void put_threads(FILE *f, const struct matrix *m, size_t row)
{
	size_t first = row * m->each, last = first + m->each - 1;

	last = last < m->sharing->n_threads ? last : m->sharing->n_threads - 1;
	fprintf(f, "%zu", first);
	if (m->each > 1)
		fprintf(f, " to %zu", last);
}

/* Finds the pair of a cell that has most pages; NULL when each thread is alone. */
static const struct ompp_pages_pair *most_of(const struct matrix *m, size_t row, size_t column)
{
	const struct ompp_pages_pair *most = NULL;

	for (size_t a = row * m->each; a < (row + 1) * m->each && a < m->sharing->n_threads; a++)
		for (size_t b = column * m->each; b < (column + 1) * m->each && b < m->sharing->n_threads; b++) {
			const struct ompp_pages_pair *p = ompp_pages_pair(m->sharing, a, b);

			if (a != b && (!most || p->n_pages > most->n_pages))
				most = p;
		}
	return most;
}

static void put_cell(FILE *f, const struct matrix *m, size_t row, size_t column, uint64_t most)
{
	const struct ompp_pages_pair *p = most_of(m, row, column);
	size_t x = LEFT + column * m->size, y = TOP + row * m->size;

	if (!p)
		fprintf(f, "<rect x=\"%zu\" y=\"%zu\" width=\"%zu\" height=\"%zu\" fill=\"%s\"/>\n", x, y, m->size,
		        m->size, ompp_color(OMPP_COLOR_line));
	if (!p || !p->n_pages)
		return;
	fprintf(f,
	        "<rect x=\"%zu\" y=\"%zu\" width=\"%zu\" height=\"%zu\" fill=\"%s\" "
	        "fill-opacity=\"%.2f\"><title>threads ",
	        x, y, m->size, m->size, ompp_color(OMPP_COLOR_heat),
	        ompp_svg_opacity(ompp_svg_strength((double)p->n_pages, (double)most, OMPP_SVG_STRENGTHS)));
	put_threads(f, m, row);
	fputs(" and ", f);
	put_threads(f, m, column);
	if (m->each > 1)
		fprintf(f, ": each two at most %llu pages, %llu of these written</title></rect>\n",
		        (unsigned long long)p->n_pages, (unsigned long long)p->n_written);
	else
		fprintf(f, ": %llu pages, %llu of them written, %llu times together</title></rect>\n",
		        (unsigned long long)p->n_pages, (unsigned long long)p->n_written,
		        (unsigned long long)p->n_together);
}

/* Writes the numbers of threads beside the rows and above the columns. */
static void put_axes(FILE *f, const struct matrix *m)
{
	for (size_t i = 0; i < m->n; i += m->label) {
		size_t middle = i * m->size + m->size / 2;

		fprintf(f,
		        "<text x=\"%d\" y=\"%zu\" text-anchor=\"end\">%zu</text><text x=\"%zu\" y=\"%d\" "
		        "text-anchor=\"middle\">%zu</text>\n",
		        LEFT - 4, TOP + middle + 4, i * m->each, LEFT + middle, TOP - 6, i * m->each);
	}
	fprintf(f, "<text x=\"4\" y=\"%d\">threads</text>\n", TOP - 6);
}

/* Writes the lines of text under the title: what the shades are, and, as above a table, how the numbers were found. */
static void put_heading(FILE *f, struct ompp_flow_look *look, const struct matrix *m, uint64_t most)
{
	const char *how = ompp_pages_heading(look, "");
	int y = 36;

	fprintf(f, "<text x=\"4\" y=\"%d\">", y);
	if (most)
		fprintf(f, "the darkest: %llu pages; each lighter shade: half as many", (unsigned long long)most);
	else
		fputs("no two threads are known to use the same page", f);
	if (m->each > 1)
		fprintf(f, "; each cell: the pair of threads with most, of %zu and %zu threads", m->each, m->each);
	fputs("</text>\n", f);
	while (how && (how = strchr(how, '\n'))) {
		char line[1024];

		how++;
		y += LINE;
		snprintf(line, sizeof(line), "%.*s", (int)strcspn(how, "\n"), how);
		fprintf(f, "<text x=\"4\" y=\"%d\">", y);
		ompp_svg_name(f, line);
		fputs("</text>\n", f);
	}
}

static void put_matrix(FILE *f, struct ompp_flow_look *look, const void *picture)
{
	const struct matrix *m = picture;
	uint64_t most = most_pages(m->sharing);
	size_t wide = m->n * m->size;

	ompp_svg_begin(f, look, LEFT + (wide > ALL ? wide : ALL) + RIGHT, TOP + wide + RIGHT,
	               "pages that each two threads both use");
	put_heading(f, look, m, most);
	for (size_t row = 0; row < m->n; row++)
		for (size_t column = 0; column < m->n; column++)
			put_cell(f, m, row, column, most);
	put_axes(f, m);
	fprintf(f, "<rect x=\"%d\" y=\"%d\" width=\"%zu\" height=\"%zu\" fill=\"none\" stroke=\"%s\"/>\n</svg>\n", LEFT,
	        TOP, wide, wide, ompp_color(OMPP_COLOR_soft));
}

int ompp_pages_matrix_picture(struct ompp_flow_look *look, const struct ompp_pages_sharing *s)
{
	struct matrix m = pages_matrix_layout(s);

	return ompp_svg_write(look, put_matrix, &m);
}
