/*
 * Pages map: pictures of which pages are used when, and by which threads, on the terminal and as SVG.
 * pages_grid.h says what they have.
 */
#include <stdio.h>
#include <string.h>

#include "reports/pages/pages_grid.h"
#include "reports/pages/pages_svg.h"
#include "reports/web/color.h"

enum { TEXT_ROWS = 32, TEXT_COLUMNS = 64, PICTURE_ROWS = 128, PICTURE_COLUMNS = 240 };

/* ---- text ---- */

static void text_rows(struct ompp_flow_look *look, const struct ompp_grid *g)
{
	static const char marks[] = " .:-=+*#%@";
	double most = ompp_grid_most(g);

	for (size_t r = 0; r < g->n_rows; r++) {
		char *line = ompp_arena_alloc(look->arena, g->n_columns + 3);
		size_t c;

		ompp_flow_hex(look, g->first[r]);
		ompp_flow_text(look, ompp_flow_object_name(look, g->object[r]));
		ompp_flow_count_value(look, g->n_pages[r]);
		if (!line) {
			ompp_flow_text(look, "");
			continue;
		}
		line[0] = '|';
		for (c = 0; c < g->n_columns; c++)
			line[c + 1] =
				marks[ompp_svg_strength(ompp_grid_sum(g, r, c).accesses, most, sizeof(marks) - 2)];
		line[c + 1] = '|';
		line[c + 2] = '\0';
		ompp_flow_text(look, line);
	}
}

static void pages_map_records(struct ompp_flow_look *look, const struct ompp_grid *g)
{
	for (size_t r = 0; r < g->n_rows; r++)
		for (size_t c = 0; c < g->n_columns; c++) {
			struct ompp_grid_sum s = ompp_grid_sum(g, r, c);

			if (s.accesses <= 0)
				continue;
			ompp_flow_hex(look, g->first[r]);
			ompp_flow_text(look, ompp_flow_object_name(look, g->object[r]));
			ompp_flow_count_value(look, g->n_pages[r]);
			if (g->is_by_thread)
				ompp_flow_number(look, (uint32_t)c);
			else
				ompp_flow_time(look,
				               g->from_ns + (uint64_t)((double)c * (double)(g->to_ns - g->from_ns) /
				                                       (double)g->n_columns));
			ompp_flow_count_value(look, (uint64_t)(s.accesses + 0.5));
			ompp_flow_number(look, s.key < g->n_keys - 1 ? (uint32_t)s.key : OMPP_FLOW_NONE);
		}
}

static int print_map(struct ompp_flow_look *look, const struct ompp_grid *g, const char *what)
{
	ompp_flow_table(look, "", ompp_pages_heading(look, what));
	ompp_flow_left(look, "first page", OMPP_IN_BOTH);
	ompp_flow_left(look, "object", OMPP_IN_BOTH);
	ompp_flow_column(look, "pages", OMPP_IN_BOTH);
	if (look->look.is_text) {
		ompp_flow_left(look, g->is_by_thread ? "threads" : "time", OMPP_IN_BOTH);
		text_rows(look, g);
	} else {
		ompp_flow_column(look, g->is_by_thread ? "thread" : "from", OMPP_IN_BOTH);
		ompp_flow_column(look, "accesses", OMPP_IN_BOTH);
		ompp_flow_column(look, g->is_by_node ? "most to node" : "most by thread", OMPP_IN_BOTH);
		pages_map_records(look, g);
	}
	return ompp_flow_print(look);
}

/* ---- SVG ---- */

enum {
	LEFT = 290,
	ADDRESS_STEP = 8,
	TOP = 46,
	CELL_WIDTH = 4,
	CELL_HEIGHT = 4,
	BOTTOM = 60,
	LEGEND_STEP = 74,
	CHARACTER = 7
};

static int is_by_accesses(const struct ompp_flow_look *look)
{
	return look->color && !strcmp(look->color, "accesses");
}

static const char *color_of(const struct ompp_flow_look *look, const struct ompp_grid *g, size_t key)
{
	if (is_by_accesses(look))
		return ompp_color(OMPP_COLOR_heat);
	return key == g->n_keys - 1 ? ompp_color(OMPP_COLOR_unsure) : ompp_color_of_one(key);
}

/* Writes which thread or NUMA node a key is for. */
static void put_key(FILE *f, const struct ompp_grid *g, size_t key)
{
	if (key == g->n_keys - 1)
		fputs(g->is_by_node ? "node not known" : "thread not known", f);
	else
		fprintf(f, "%s %zu", g->is_by_node ? "node" : "thread", key);
}

static void put_cells(FILE *f, struct ompp_flow_look *look, const struct ompp_grid *g, size_t row, double most,
                      int width)
{
	for (size_t c = 0, n; c < g->n_columns; c += n) {
		struct ompp_grid_sum s = ompp_grid_sum(g, row, c);
		unsigned int how = ompp_svg_strength(s.accesses, most, OMPP_SVG_STRENGTHS);
		double accesses = s.accesses;

		for (n = 1; c + n < g->n_columns; n++) {
			struct ompp_grid_sum next = ompp_grid_sum(g, row, c + n);

			if (next.key != s.key || ompp_svg_strength(next.accesses, most, OMPP_SVG_STRENGTHS) != how)
				break;
			accesses += next.accesses;
		}
		if (!how)
			continue;
		fprintf(f,
		        "<rect x=\"%zu\" y=\"%zu\" width=\"%zu\" height=\"%d\" fill=\"%s\" "
		        "fill-opacity=\"%.2f\"><title>",
		        LEFT + c * (size_t)width, TOP + row * CELL_HEIGHT, n * (size_t)width, CELL_HEIGHT,
		        color_of(look, g, s.key), ompp_svg_opacity(how));
		ompp_svg_name(f, ompp_flow_object_name(look, g->object[row]));
		fprintf(f, ", 0x%llx to 0x%llx: %.0f accesses, most %s ", (unsigned long long)g->first[row],
		        (unsigned long long)g->last[row], accesses, g->is_by_node ? "to" : "by");
		put_key(f, g, s.key);
		if (!g->is_by_thread)
			fprintf(f, ", from %.3f s",
			        (double)(g->from_ns - ompp_flow_info(look->flow)->start_ns) / 1e9 +
			                (double)c * (double)(g->to_ns - g->from_ns) / (double)g->n_columns / 1e9);
		fputs("</title></rect>\n", f);
	}
}

/* Writes the name of each object beside its first row, where there is room. */
static void put_objects(FILE *f, struct ompp_flow_look *look, const struct ompp_grid *g)
{
	size_t next = 0;

	for (size_t r = 0; r < g->n_rows; r++) {
		if (r && (g->object[r] == g->object[r - 1] || r < next))
			continue;
		fprintf(f, "<text x=\"4\" y=\"%zu\">", TOP + r * CELL_HEIGHT + 10);
		ompp_svg_name(f, ompp_flow_object_name(look, g->object[r]));
		fputs("</text>\n", f);
		next = r + 12 / CELL_HEIGHT;
	}
}

/* Writes the axis of pages: the address of some rows' first page. */
static void put_addresses(FILE *f, const struct ompp_grid *g)
{
	fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">first page</text>\n", LEFT - 8, TOP - 4);
	for (size_t r = 0; r < g->n_rows; r += ADDRESS_STEP)
		fprintf(f,
		        "<text x=\"%d\" y=\"%zu\" text-anchor=\"end\">0x%llx</text><path d=\"M%d %zuh4\" "
		        "stroke=\"%s\"/>\n",
		        LEFT - 8, TOP + r * CELL_HEIGHT + 10, (unsigned long long)g->first[r], LEFT - 4,
		        TOP + r * CELL_HEIGHT, ompp_color(OMPP_COLOR_soft));
}

/* Writes the axis of columns: threads by their numbers, or seconds of the run. */
static void put_columns(FILE *f, const struct ompp_flow_look *look, const struct ompp_grid *g, size_t width, size_t y)
{
	enum { LABEL = 160, THREAD_LABEL = 24 };
	size_t step = (g->is_by_thread ? THREAD_LABEL : LABEL) / width, last = g->n_columns;
	double start = (double)ompp_flow_info(look->flow)->start_ns;

	step = step * width < (g->is_by_thread ? THREAD_LABEL : LABEL) ? step + 1 : step;
	fprintf(f, "<text x=\"%d\" y=\"%zu\" text-anchor=\"end\">%s</text>\n", LEFT - 8, y,
	        g->is_by_thread ? "thread" : "seconds of the run");
	for (size_t c = 0; g->is_by_thread ? c < last : c <= last; c += step) {
		size_t x = LEFT + c * width + (g->is_by_thread ? width / 2 : 0);

		fprintf(f, "<path d=\"M%zu %zuv4\" stroke=\"%s\"/><text x=\"%zu\" y=\"%zu\" text-anchor=\"middle\">", x,
		        y - 16, ompp_color(OMPP_COLOR_soft), x, y);
		if (g->is_by_thread)
			fprintf(f, "%zu</text>\n", c);
		else
			fprintf(f, "%.3f</text>\n",
			        ((double)g->from_ns - start +
			         (double)c * (double)(g->to_ns - g->from_ns) / (double)last) /
			                1e9);
	}
}

static void put_legend(FILE *f, const struct ompp_flow_look *look, const struct ompp_grid *g, size_t y)
{
	unsigned char seen[OMPP_GRID_MOST_KEYS + 1] = { 0 };
	size_t x = LEFT;

	for (size_t r = 0; r < g->n_rows; r++)
		for (size_t c = 0; c < g->n_columns; c++) {
			struct ompp_grid_sum s = ompp_grid_sum(g, r, c);

			seen[s.key] |= s.accesses > 0;
		}
	for (size_t k = 0; k < g->n_keys && !is_by_accesses(look); k++) {
		if (!seen[k])
			continue;
		fprintf(f,
		        "<rect x=\"%zu\" y=\"%zu\" width=\"10\" height=\"10\" fill=\"%s\"/><text x=\"%zu\" "
		        "y=\"%zu\">",
		        x, y, color_of(look, g, k), x + 14, y + 9);
		put_key(f, g, k);
		fputs("</text>\n", f);
		x += LEGEND_STEP;
		if (x > LEFT + 12 * LEGEND_STEP)
			break;
	}
}

/* Returns how wide the column of a thread is: few threads have wide ones. */
static int thread_width(size_t n_threads)
{
	enum { WIDE = 48, ALL = 640 };

	return n_threads * WIDE <= ALL ? WIDE : n_threads * CELL_WIDTH >= ALL ? CELL_WIDTH : (int)(ALL / n_threads);
}

/* What a picture shows. */
struct picture {
	const struct ompp_grid *grid;
	const char *what;
};

static void put_picture(FILE *f, struct ompp_flow_look *look, const void *picture)
{
	const struct ompp_grid *g = ((const struct picture *)picture)->grid;
	int width = g->is_by_thread ? thread_width(g->n_columns) : CELL_WIDTH;
	size_t right = LEFT + g->n_columns * (size_t)width, bottom = TOP + g->n_rows * CELL_HEIGHT;
	size_t wide = right > LEFT + 640 ? right : LEFT + 640;

	ompp_svg_begin(f, look, wide + 20, bottom + BOTTOM, ((const struct picture *)picture)->what);
	fprintf(f, "<text x=\"4\" y=\"36\">each lighter shade: half as many accesses; %s</text>\n",
	        is_by_accesses(look) ? "one colour for all"
	        : g->is_by_node      ? "colours: the NUMA node of the page"
	                             : "colours: the thread with most accesses");
	for (size_t r = 0; r < g->n_rows; r++)
		put_cells(f, look, g, r, ompp_grid_most(g), width);
	put_objects(f, look, g);
	fprintf(f, "<rect x=\"%d\" y=\"%d\" width=\"%zu\" height=\"%zu\" fill=\"none\" stroke=\"%s\"/>\n", LEFT, TOP,
	        right - LEFT, bottom - TOP, ompp_color(OMPP_COLOR_soft));
	put_addresses(f, g);
	if (g->n_columns)
		put_columns(f, look, g, (size_t)width, bottom + 16);
	put_legend(f, look, g, bottom + 30);
	fputs("</svg>\n", f);
}

/* ---- the views ---- */

static int pages_map_show(struct ompp_flow_look *look, int is_by_thread, const char *what, const char *title)
{
	struct ompp_grid g = { .is_by_thread = is_by_thread,
		               .is_by_node = look->color && !strcmp(look->color, "node") };
	int status = OMPP_EXIT_FAILED;

	if (ompp_grid_make(look, &g, look->svg ? PICTURE_ROWS : TEXT_ROWS, look->svg ? PICTURE_COLUMNS : TEXT_COLUMNS))
		status = ompp_pages_no_memory();
	else
		status = look->svg ? ompp_svg_write(look, put_picture, &(struct picture){ &g, title })
		                   : print_map(look, &g, what);
	ompp_grid_free(&g);
	return status;
}

int ompp_pages_heat_view(struct ompp_flow_look *look)
{
	return ompp_pages_has(look, OMPP_FLOW_WRITTEN)
	             ? pages_map_show(look, 0,
	                              "Accesses to pages over time, where a page that the kernel tells to be written "
	                              "is one (each mark twice the one before: .:-=+*#%@):",
	                              "accesses to pages over time, and pages that the kernel tells to be written")
	             : pages_map_show(look, 0,
	                              "Accesses to pages over time (each mark twice the one before: .:-=+*#%@):",
	                              "accesses to pages over time");
}

int ompp_pages_threads_view(struct ompp_flow_look *look)
{
	return pages_map_show(look, 1, "Accesses to pages by threads (each mark twice the one before: .:-=+*#%@):",
	                      "accesses to pages by threads");
}
