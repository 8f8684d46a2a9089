/*
 * Pages grid: see pages_grid.h.
 */
#include "reports/pages/pages_grid.h"

#include <stdlib.h>

void ompp_grid_free(struct ompp_grid *g)
{
	free(g->accesses);
	free(g->first);
	free(g->last);
	free(g->object);
	free(g->n_pages);
	free(g->sizes);
	free(g->row);
}

static const struct ompp_pages_page *sorted_pages;

static int by_address(const void *a, const void *b)
{
	uint64_t x = sorted_pages[*(const uint32_t *)a].address, y = sorted_pages[*(const uint32_t *)b].address;

	return (x > y) - (x < y);
}

static void add_size(struct ompp_grid_sizes *s, uint64_t n_bytes)
{
	if (!n_bytes)
		return;
	if (!s->n_known || n_bytes < s->least_bytes)
		s->least_bytes = n_bytes;
	if (n_bytes > s->most_bytes)
		s->most_bytes = n_bytes;
	s->n_known++;
}

/* Assigns the pages to rows.  Returns 0 or -1 without memory. */
static int make_rows(struct ompp_grid *g, const struct ompp_pages *pages, size_t most_rows)
{
	uint32_t *order = calloc(pages->n + 1, sizeof(*order));
	uint64_t n_votes = 0; /* of the row's object (majority vote): a page of another object takes one away */

	g->n_rows = pages->n < most_rows ? pages->n : most_rows;
	g->first = calloc(g->n_rows + 1, sizeof(*g->first));
	g->last = calloc(g->n_rows + 1, sizeof(*g->last));
	g->object = calloc(g->n_rows + 1, sizeof(*g->object));
	g->n_pages = calloc(g->n_rows + 1, sizeof(*g->n_pages));
	g->sizes = calloc(g->n_rows + 1, sizeof(*g->sizes));
	g->row = calloc(pages->n + 1, sizeof(*g->row));
	if (!order || !g->first || !g->last || !g->object || !g->n_pages || !g->sizes || !g->row) {
		free(order);
		return -1;
	}
	for (uint32_t i = 0; i < pages->n; i++)
		order[i] = i;
	sorted_pages = pages->all;
	qsort(order, pages->n, sizeof(*order), by_address);
	for (size_t i = 0; i < pages->n; i++) {
		const struct ompp_pages_page *p = &pages->all[order[i]];
		uint32_t row = (uint32_t)(i * g->n_rows / pages->n);

		if (!g->n_pages[row]++) {
			g->first[row] = p->address;
			n_votes = 0;
		}
		if (!n_votes)
			g->object[row] = p->object;
		n_votes += p->object == g->object[row] ? 1 : UINT64_MAX;
		g->last[row] = p->address;
		add_size(&g->sizes[row], p->page_bytes);
		g->row[order[i]] = row;
	}
	free(order);
	return 0;
}

static float *pages_grid_cell(const struct ompp_grid *g, size_t row, size_t column)
{
	return g->accesses + (row * g->n_columns + column) * g->n_keys;
}

/* Adds the accesses of an event to a row, spread over the times of its interval. */
static void pages_grid_add(struct ompp_grid *g, uint32_t row, const struct ompp_flow_event *e)
{
	double n = e->kind == OMPP_FLOW_USE ? (double)(e->loads + e->stores) : 1,
	       width = (double)(g->to_ns - g->from_ns) / (double)g->n_columns;
	uint32_t of = g->is_by_node ? e->home : e->thread;
	size_t key = of == OMPP_FLOW_NONE ? g->n_keys - 1 : of % (g->n_keys - 1), first, last;

	if (g->is_by_thread) {
		pages_grid_cell(g, row, e->thread)[key] += (float)n;
		return;
	}
	first = (size_t)((double)(e->time_ns - g->from_ns) / width);
	last = (size_t)((double)(e->until_ns - g->from_ns) / width);
	last = last < g->n_columns ? last : g->n_columns - 1;
	first = first < last ? first : last;
	for (size_t c = first; c <= last; c++)
		pages_grid_cell(g, row, c)[key] += (float)(n / (double)(last - first + 1));
}

static void find_times(struct ompp_flow_look *look, struct ompp_grid *g)
{
	struct ompp_flow_event e;

	g->from_ns = UINT64_MAX;
	for (size_t at = 0; ompp_pages_next(look, &at, &e);) {
		g->from_ns = e.time_ns < g->from_ns ? e.time_ns : g->from_ns;
		g->to_ns = e.until_ns > g->to_ns ? e.until_ns : g->to_ns;
	}
	g->to_ns = g->to_ns > g->from_ns ? g->to_ns : g->from_ns + 1;
}

int ompp_grid_make(struct ompp_flow_look *look, struct ompp_grid *g, size_t most_rows, size_t most_columns)
{
	uint64_t page_bytes = ompp_flow_info(look->flow)->page_bytes;
	size_t n_threads = ompp_flow_n_threads(look->flow);
	struct ompp_flow_event e;
	struct ompp_pages pages;
	int rc;

	if (ompp_pages_sum(look, OMPP_PAGES_BY_ADDRESS, &pages))
		return -1;
	find_times(look, g);
	g->n_columns = g->is_by_thread ? n_threads : most_columns;
	g->n_keys = n_threads > OMPP_FLOW_MOST_NODES ? n_threads : OMPP_FLOW_MOST_NODES;
	g->n_keys = (g->n_keys < OMPP_GRID_MOST_KEYS ? g->n_keys : OMPP_GRID_MOST_KEYS) + 1;
	rc = make_rows(g, &pages, most_rows);
	g->accesses = rc ? NULL : calloc(g->n_rows * g->n_columns * g->n_keys + 1, sizeof(*g->accesses));
	for (size_t at = 0; g->accesses && ompp_pages_next(look, &at, &e);)
		for (uint64_t i = 0; (e.thread < n_threads || !g->is_by_thread) && i < e.n_pages; i++) {
			size_t page = ompp_pages_find(&pages, e.address + i * page_bytes, 0);

			if (page != SIZE_MAX)
				pages_grid_add(g, g->row[page], &e);
		}
	ompp_pages_free(&pages);
	return g->accesses ? 0 : -1;
}

struct ompp_grid_sum ompp_grid_sum(const struct ompp_grid *g, size_t row, size_t column)
{
	struct ompp_grid_sum s = { 0 };

	for (size_t k = 0; k < g->n_keys; k++) {
		double n = pages_grid_cell(g, row, column)[k];

		s.accesses += n;
		if (n > s.most) {
			s.most = n;
			s.key = k;
		}
	}
	return s;
}

double ompp_grid_most(const struct ompp_grid *g)
{
	double most = 0;

	for (size_t r = 0; r < g->n_rows; r++)
		for (size_t c = 0; c < g->n_columns; c++) {
			double n = ompp_grid_sum(g, r, c).accesses;

			most = n > most ? n : most;
		}
	return most;
}
