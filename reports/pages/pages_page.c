/*
 * Pages page: see pages_page.h.
 */
#define _GNU_SOURCE
#include "reports/pages/pages_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reports/pages/pages_grid.h"
#include "reports/pages/pages_sharing.h"

enum {
	MOST_OBJECTS = 10, /* that have pictures of their own */
	ROWS = 64,
	COLUMNS = 120,
	MOST_THREADS = 128, /* columns of a picture, and rows of a matrix */
	MOST_BYTES = 24
	          << 20 /* of traces that are read for pictures; all of a trace is read for each object (0.1 s a MB) */
};

/* ---- one picture ---- */

/* Puts the cells of a row, as accesses and keys (-1 when the thread is not known), up to the last cell with
 * accesses. */
static void put_row(struct ompp_embed *e, const struct ompp_grid *g, size_t row, size_t n_columns)
{
	size_t n = n_columns;

	while (n && ompp_grid_sum(g, row, n - 1).accesses <= 0)
		n--;
	ompp_embed_key(e, "accesses");
	ompp_embed_open(e, '[');
	for (size_t c = 0; c < n; c++) {
		double accesses = ompp_grid_sum(g, row, c).accesses;

		ompp_embed_number(e, accesses > 0 && accesses < 1 ? 1 : llround(accesses));
	}
	ompp_embed_close(e, ']');
	if (g->is_by_thread)
		return;
	ompp_embed_key(e, "keys");
	ompp_embed_open(e, '[');
	for (size_t c = 0; c < n; c++) {
		size_t key = ompp_grid_sum(g, row, c).key;

		ompp_embed_number(e, key + 1 < g->n_keys ? (int64_t)key : -1);
	}
	ompp_embed_close(e, ']');
}

static void put_grid(struct ompp_embed *e, struct ompp_flow_look *look, const struct ompp_grid *g)
{
	size_t n_columns = g->is_by_thread && g->n_columns > MOST_THREADS ? MOST_THREADS : g->n_columns;
	uint64_t start_ns = ompp_flow_info(look->flow)->start_ns;
	char address[24];

	ompp_embed_open(e, '{');
	ompp_embed_number_of(e, "columns", (int64_t)n_columns);
	ompp_embed_number_of(e, "columnsLeftOut", (int64_t)(g->n_columns - n_columns));
	ompp_embed_number_of(e, "from", (int64_t)(g->from_ns - start_ns));
	ompp_embed_number_of(e, "to", (int64_t)(g->to_ns - start_ns));
	ompp_embed_key(e, "rows");
	ompp_embed_open(e, '[');
	for (size_t r = 0; r < g->n_rows; r++) {
		ompp_embed_open(e, '{');
		snprintf(address, sizeof(address), "0x%llx", (unsigned long long)g->first[r]);
		ompp_embed_text_of(e, "first", address);
		snprintf(address, sizeof(address), "0x%llx", (unsigned long long)g->last[r]);
		ompp_embed_text_of(e, "last", address);
		ompp_embed_text_of(e, "object", ompp_flow_object_name(look, g->object[r]));
		ompp_embed_number_of(e, "pages", (int64_t)g->n_pages[r]);
		if (g->sizes[r].n_known) {
			ompp_embed_number_of(e, "sized", (int64_t)g->sizes[r].n_known);
			ompp_embed_key(e, "pageBytes");
			ompp_embed_open(e, '[');
			ompp_embed_number(e, (int64_t)g->sizes[r].least_bytes);
			ompp_embed_number(e, (int64_t)g->sizes[r].most_bytes);
			ompp_embed_close(e, ']');
		}
		put_row(e, g, r, n_columns);
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
	ompp_embed_close(e, '}');
}

/* Puts the pairs of threads that have pages in common: the threads, those pages, and those of them that are written. */
static void put_matrix(struct ompp_embed *e, const struct ompp_pages_sharing *s)
{
	size_t n_threads = s->n_threads < MOST_THREADS ? s->n_threads : MOST_THREADS;

	ompp_embed_open(e, '{');
	ompp_embed_number_of(e, "threads", (int64_t)n_threads);
	ompp_embed_number_of(e, "threadsLeftOut", (int64_t)(s->n_threads - n_threads));
	ompp_embed_key(e, "pairs");
	ompp_embed_open(e, '[');
	for (size_t a = 0; a < n_threads; a++)
		for (size_t b = a + 1; b < n_threads; b++) {
			const struct ompp_pages_pair *p = ompp_pages_pair(s, a, b);

			if (!p->n_pages)
				continue;
			ompp_embed_open(e, '[');
			ompp_embed_number(e, (int64_t)a);
			ompp_embed_number(e, (int64_t)b);
			ompp_embed_number(e, (int64_t)p->n_pages);
			ompp_embed_number(e, (int64_t)p->n_written);
			ompp_embed_close(e, ']');
		}
	ompp_embed_close(e, ']');
	ompp_embed_close(e, '}');
}

/* Puts the pictures of what the look's filters mean; null where there is no memory for one. */
static void put_pictures(struct ompp_embed *e, struct ompp_flow_look *look)
{
	static const char *const keys[] = { "time", "threads" };
	struct ompp_pages_sharing sharing;

	for (int is_by_thread = 0; is_by_thread < 2; is_by_thread++) {
		struct ompp_grid g = { .is_by_thread = is_by_thread };

		ompp_embed_key(e, keys[is_by_thread]);
		if (ompp_grid_make(look, &g, ROWS, COLUMNS))
			ompp_embed_null(e);
		else
			put_grid(e, look, &g);
		ompp_grid_free(&g);
	}
	ompp_embed_key(e, "sharing");
	if (ompp_pages_sharing_sum(look, &sharing))
		ompp_embed_null(e);
	else
		put_matrix(e, &sharing);
	ompp_pages_sharing_free(&sharing);
}

/* ---- the objects with most accesses ---- */

struct object {
	uint32_t index;
	uint64_t accesses;
};

static int by_accesses(const void *a, const void *b)
{
	uint64_t x = ((const struct object *)a)->accesses, y = ((const struct object *)b)->accesses;

	return (x < y) - (x > y);
}

/* Finds those with a name, up to a limit.  Returns their number; *n_more is that of the others. */
static size_t find_objects(struct ompp_flow_look *look, struct object *top, size_t most, size_t *n_more)
{
	size_t n = ompp_flow_n_objects(look->flow), n_top = 0;
	struct object *all = calloc(n + 1, sizeof(*all));
	struct ompp_flow_event e;

	for (uint32_t i = 0; all && i < n; i++)
		all[i].index = i;
	for (size_t at = 0; all && ompp_pages_next(look, &at, &e);)
		for (uint32_t k = 0; k < e.n_objects; k++) {
			uint32_t object = ompp_flow_nth_object(look->flow, &e, k);

			if (object < n)
				all[object].accesses += e.kind == OMPP_FLOW_USE ? (e.loads + e.stores) * e.n_pages
				                                                : e.n_pages;
		}
	if (all)
		qsort(all, n, sizeof(*all), by_accesses);
	*n_more = 0;
	for (size_t i = 0; all && i < n && all[i].accesses; i++)
		if (!ompp_flow_object(look->flow, all[i].index)->name[0])
			continue;
		else if (n_top < most)
			top[n_top++] = all[i];
		else
			(*n_more)++;
	free(all);
	return n_top;
}

static void put_all(struct ompp_embed *e, struct ompp_flow_look *look, size_t most_objects)
{
	const struct ompp_flow_info *info = ompp_flow_info(look->flow);
	struct ompp_pages_worth worth = ompp_pages_worth(look);
	size_t n_objects = ompp_flow_n_objects(look->flow), n, n_more;
	struct object top[MOST_OBJECTS];

	ompp_embed_text_of(e, "method", info->method);
	ompp_embed_text_of(e, "unseen", info->unseen);
	ompp_embed_number_of(e, "hasTold", ompp_pages_has(look, OMPP_FLOW_WRITTEN));
	ompp_embed_number_of(e, "interval", (int64_t)info->interval_ns);
	ompp_embed_number_of(e, "apart", (int64_t)worth.short_ns);
	ompp_embed_number_of(e, "longest", (int64_t)worth.longest_ns);
	ompp_embed_number_of(e, "ahead", (int64_t)info->ahead_ns);
	ompp_embed_number_of(e, "pageBytes", info->page_bytes);
	ompp_embed_number_of(e, "damaged", (int64_t)info->n_damaged);
	ompp_embed_number_of(e, "isWhole", info->n_lost != UINT64_MAX);
	ompp_embed_number_of(e, "leftOut", info->n_lost == UINT64_MAX ? 0 : (int64_t)(info->n_left_out + info->n_lost));
	n = find_objects(look, top, most_objects < MOST_OBJECTS ? most_objects : MOST_OBJECTS, &n_more);
	ompp_embed_number_of(e, "objectsLeftOut", (int64_t)n_more);
	ompp_embed_key(e, "pictures");
	ompp_embed_open(e, '[');
	ompp_embed_open(e, '{');
	ompp_embed_key(e, "object");
	ompp_embed_null(e);
	put_pictures(e, look);
	ompp_embed_close(e, '}');
	look->objects = ompp_arena_alloc(look->arena, n_objects + 1);
	look->sites = ompp_arena_alloc(look->arena, ompp_flow_n_sites(look->flow) + 1);
	for (size_t i = 0; i < n && look->objects && look->sites; i++) {
		memset(look->objects, 0, n_objects + 1);
		look->objects[top[i].index] = 1;
		ompp_embed_open(e, '{');
		ompp_embed_text_of(e, "object", ompp_flow_object_name(look, top[i].index));
		put_pictures(e, look);
		ompp_embed_close(e, '}');
	}
	ompp_embed_close(e, ']');
}

/* ---- the trace ---- */

/* Returns the path of the trace that lies beside one of the profiles, from malloc(); NULL when there is none. */
static char *find_trace(const struct ompp_pages_source *from, struct stat *st)
{
	char *path;

	for (size_t i = 0; from->files[i]; i++) {
		if (asprintf(&path, "%s.pages", from->files[i]) < 0)
			return NULL;
		if (!stat(path, st))
			return path;
		free(path);
	}
	return NULL;
}

int ompp_pages_embed(struct ompp_embed *e, void *source)
{
	const struct ompp_pages_source *from = source;
	struct ompp_flow_look look = { .filter = ompp_flow_all(), .format = "", .arena = from->arena };
	struct ompp_flow *flow = NULL;
	struct stat st;
	char *path = find_trace(from, &st);

	if (!path)
		return 0;
	ompp_embed_key(e, "pageMap");
	ompp_embed_open(e, '{');
	if (from->n_profiles > 1) {
		ompp_embed_text_of(e, "error",
		                   "pictures are of one process, as each has its own addresses; the page of its "
		                   "profile alone has them: ompp report --format=html FILE");
	} else if (st.st_size > MOST_BYTES) {
		ompp_embed_text_of(e, "error",
		                   "it is so large that pictures of it would take long; 'ompp pages "
		                   "--view=heat --svg=FILE' and --view=threads draw them");
	} else if (ompp_flow_open(&flow, path)) {
		ompp_embed_text_of(e, "error", ompp_flow_message());
	} else if (ompp_flow_info(flow)->pid != (uint32_t)from->profile->pid) {
		ompp_embed_text_of(e, "error", "it is of another run");
	} else {
		look.flow = flow;
		put_all(e, &look, MOST_BYTES / ((size_t)st.st_size + 1));
	}
	ompp_embed_text_of(e, "file", path);
	ompp_embed_close(e, '}');
	ompp_flow_close(flow);
	free(path);
	return 0;
}
