/*
 * Page threads: see page_threads.h.
 */
#include "reports/web/page_threads.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

enum { NUMBER_DIGITS = 16 }; /* a 64-bit number has at most 13 digits of five bits */

/* The columns of a cell. */
/* clang-format off */
static const struct { const char *name; size_t offset; } columns[] = {
	{ "count",    offsetof(struct ompp_cell, n_exec) },
	{ "bodies",   offsetof(struct ompp_cell, n_body) },
	{ "exec",     offsetof(struct ompp_cell, exec_ns) },
	{ "body",     offsetof(struct ompp_cell, body_ns) },
	{ "enter",    offsetof(struct ompp_cell, enter_ns) },
	{ "exit",     offsetof(struct ompp_cell, exit_ns) },
	{ "exitBar",  offsetof(struct ompp_cell, exit_bar_ns) },
	{ "startup",  offsetof(struct ompp_cell, startup_ns) },
	{ "shutdown", offsetof(struct ompp_cell, shutdown_ns) },
	{ "mgmt",     offsetof(struct ompp_cell, mgmt_ns) },
	{ "task",     offsetof(struct ompp_cell, task_ns) },
	{ "incl",     offsetof(struct ompp_cell, incl_ns) },
	{ "cost",     offsetof(struct ompp_cell, cost_ns) },
	{ "error",    offsetof(struct ompp_cell, error_ns) },
	{ "bodyError",  offsetof(struct ompp_cell, body_error_ns) },
	{ "enterError", offsetof(struct ompp_cell, enter_error_ns) },
	{ "exitError",  offsetof(struct ompp_cell, exit_error_ns) },
	{ "mapTo",    offsetof(struct ompp_cell, to_bytes) },
	{ "mapFrom",  offsetof(struct ompp_cell, from_bytes) },
	{ "sent",     offsetof(struct ompp_cell, sent_bytes) },
	{ "received", offsetof(struct ompp_cell, received_bytes) },
};
/* clang-format on */

enum { N_COUNTS = 2 }; /* the first columns are counts, which have no sign */

static int64_t number_of(const struct ompp_cell *cell, size_t column)
{
	uint64_t count;
	int64_t number;

	if (column < N_COUNTS) {
		memcpy(&count, (const char *)cell + columns[column].offset, sizeof(count));
		return ompp_count(count);
	}
	memcpy(&number, (const char *)cell + columns[column].offset, sizeof(number));
	return number;
}

int ompp_page_flat_init(struct ompp_page_flat *flat, const struct ompp_analysis *a)
{
	size_t n_rows = a->profile->n_rows;
	int rc = ompp_region_sums_init(&flat->regions, a);

	flat->numbers = ompp_arena_alloc(a->arena, n_rows * sizeof(*flat->numbers));
	flat->at = ompp_arena_alloc(a->arena, n_rows * sizeof(*flat->at));
	flat->text = ompp_arena_alloc(a->arena, n_rows * NUMBER_DIGITS + 1);
	return rc || (flat->numbers && flat->at && flat->text) ? rc : -ENOMEM;
}

/* ---- sums of regions ---- */

static void put_numbers(struct ompp_embed *e, const struct ompp_page_flat *flat, const char *key, size_t offset)
{
	ompp_embed_key(e, key);
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < flat->regions.n; i++) {
		int64_t number;

		memcpy(&number, (const char *)&flat->regions.list[i] + offset, sizeof(number));
		ompp_embed_number(e, number);
	}
	ompp_embed_close(e, ']');
}

/* Puts the array of a small number of each part. */
static void put_small(struct ompp_embed *e, const struct ompp_page_flat *flat, const char *key, size_t offset)
{
	ompp_embed_key(e, key);
	ompp_embed_open(e, '[');
	for (size_t i = 0; i < flat->regions.n; i++) {
		uint32_t number;

		memcpy(&number, (const char *)&flat->regions.list[i] + offset, sizeof(number));
		ompp_embed_number(e, number);
	}
	ompp_embed_close(e, ']');
}

int ompp_page_flat(struct ompp_embed *e, const struct ompp_page_flat *flat)
{
	ompp_embed_key(e, "flat");
	ompp_embed_open(e, '{');
	put_small(e, flat, "region", offsetof(struct ompp_region_sum, region));
	put_small(e, flat, "tasks", offsetof(struct ompp_region_sum, kind));
	put_small(e, flat, "rows", offsetof(struct ompp_region_sum, n_rows));
	put_small(e, flat, "paths", offsetof(struct ompp_region_sum, n_paths));
	put_numbers(e, flat, "mostBody", offsetof(struct ompp_region_sum, most_body_ns));
	put_numbers(e, flat, "mostExec", offsetof(struct ompp_region_sum, most_exec_ns));
	for (size_t c = 0; c < OMPP_COUNT_OF(columns); c++) {
		ompp_embed_key(e, columns[c].name);
		ompp_embed_open(e, '[');
		for (size_t i = 0; i < flat->regions.n; i++)
			ompp_embed_number(e, number_of(&flat->regions.list[i].cell, c));
		ompp_embed_close(e, ']');
	}
	ompp_embed_close(e, '}');
	return 0;
}

/* ---- numbers of threads ---- */

static size_t put_digits(char *buffer, uint64_t zigzag)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t n = 0;

	do {
		buffer[n++] = digits[(zigzag & 31) | (zigzag > 31 ? 32 : 0)];
		zigzag >>= 5;
	} while (zigzag);
	return n;
}

/* Puts a list of numbers unless all are zero. */
static void put_list(struct ompp_embed *e, const struct ompp_page_flat *flat, const char *key, size_t n)
{
	uint64_t before = 0;
	size_t n_bytes = 0, i = 0;

	while (i < n && !flat->numbers[i])
		i++;
	if (i == n)
		return;
	for (i = 0; i < n; i++) {
		uint64_t difference = (uint64_t)flat->numbers[i] - before;

		if (flat->numbers[i] == OMPP_MISSING) {
			flat->text[n_bytes++] = '-';
			continue;
		}
		n_bytes += put_digits(flat->text + n_bytes,
		                      difference << 1 ^ (difference >> 63 ? UINT64_MAX : UINT64_C(0)));
		before = (uint64_t)flat->numbers[i];
	}
	if (key[0])
		ompp_embed_key(e, key);
	ompp_embed_plain(e, flat->text, n_bytes);
}

/* Puts what the rows did: n cells and their values of metrics. */
static void put_cells(struct ompp_embed *e, const struct ompp_page_flat *flat, const struct ompp_cell *cells,
                      const int64_t *values, const uint32_t *at, size_t n)
{
	size_t n_metrics = flat->regions.analysis->profile->n_metrics;

	ompp_embed_open(e, '{');
	ompp_embed_number_of(e, "n", (int64_t)n);
	for (size_t i = 0; i < n; i++)
		flat->numbers[i] = cells[at[i]].row;
	put_list(e, flat, "rows", n);
	for (size_t c = 0; c < OMPP_COUNT_OF(columns); c++) {
		for (size_t i = 0; i < n; i++)
			flat->numbers[i] = number_of(&cells[at[i]], c);
		put_list(e, flat, columns[c].name, n);
	}
	for (size_t m = 0; m < n_metrics; m++) {
		char key[32];
		struct ompp_text t;

		ompp_text_init(&t, key, sizeof(key));
		ompp_text_str(&t, "metric");
		ompp_text_u64(&t, m);
		for (size_t i = 0; i < n; i++)
			flat->numbers[i] = values[at[i] * n_metrics + m];
		put_list(e, flat, key, n);
	}
	ompp_embed_close(e, '}');
}

static void put_number_key(struct ompp_embed *e, uint32_t number)
{
	char key[16];
	struct ompp_text t;

	ompp_text_init(&t, key, sizeof(key));
	ompp_text_u64(&t, number);
	ompp_embed_key(e, key);
}

static int is_cheaper_part(const void *parts, uint32_t x, uint32_t y)
{
	const struct ompp_region_sum *p = parts;

	return p[x].cell.exec_ns != p[y].cell.exec_ns ? p[x].cell.exec_ns < p[y].cell.exec_ns : x > y;
}

static int put_parts(struct ompp_embed *e, struct ompp_page_flat *flat)
{
	const struct ompp_profile *p = flat->regions.analysis->profile;
	uint32_t *order = ompp_arena_alloc(flat->regions.analysis->arena, (flat->regions.n + 1) * sizeof(*order));
	uint64_t end = e->n_bytes + OMPP_PAGE_THREADS_BYTES;

	if (!order)
		return -ENOMEM;
	for (uint32_t i = 0; i < flat->regions.n; i++)
		order[i] = i;
	ompp_sort(order, flat->regions.n, is_cheaper_part, flat->regions.list);
	ompp_embed_key(e, "threads");
	ompp_embed_open(e, '{');
	for (size_t i = 0; i < flat->regions.n && e->n_bytes < end; i++) {
		uint32_t n = 0;

		ompp_region_sums_rows(&flat->regions, &flat->regions.list[order[i]]);
		for (uint32_t row = 0; row < p->n_rows; row++)
			if (flat->regions.used[row]) {
				flat->regions.cells[row].row = row;
				flat->at[n++] = row;
			}
		put_number_key(e, order[i]);
		put_cells(e, flat, flat->regions.cells, flat->regions.values, flat->at, n);
	}
	ompp_embed_close(e, '}');
	return 0;
}

static int is_cheaper_path(const void *exec_ns, uint32_t x, uint32_t y)
{
	const int64_t *ns = exec_ns;

	return ns[x] != ns[y] ? ns[x] < ns[y] : x > y;
}

/* Puts the call paths of regions that have several: a region with a single path has the same numbers itself. */
static int put_paths(struct ompp_embed *e, struct ompp_page_flat *flat)
{
	const struct ompp_analysis *a = flat->regions.analysis;
	const struct ompp_profile *p = a->profile;
	uint32_t *order = ompp_arena_alloc(a->arena, p->n_nodes * sizeof(*order)), n_paths = 0;
	int64_t *exec_ns = ompp_arena_alloc(a->arena, p->n_nodes * sizeof(*exec_ns));
	uint64_t end = e->n_bytes + OMPP_PAGE_PATHS_BYTES;

	if (!order || !exec_ns)
		return -ENOMEM;
	for (size_t i = 0; i < flat->regions.n; i++) {
		const struct ompp_region_sum *part = &flat->regions.list[i];

		if (part->n_paths < 2)
			continue;
		for (uint32_t node = a->same_first[part->kind][part->region]; node != OMPP_NONE;
		     node = a->same_next[node]) {
			order[n_paths++] = node;
			for (uint32_t k = 0; k < p->nodes[node].n_cells; k++)
				exec_ns[node] = ompp_add(exec_ns[node],
				                         p->cells[p->nodes[node].first_cell + k].exec_ns);
		}
	}
	ompp_sort(order, n_paths, is_cheaper_path, exec_ns);
	ompp_embed_key(e, "pathThreads");
	ompp_embed_open(e, '{');
	for (uint32_t i = 0; i < n_paths && e->n_bytes < end; i++) {
		const struct ompp_node *node = &p->nodes[order[i]];

		for (uint32_t k = 0; k < node->n_cells; k++)
			flat->at[k] = k;
		put_number_key(e, order[i]);
		put_cells(e, flat, p->cells + node->first_cell, p->values + node->first_cell * p->n_metrics, flat->at,
		          node->n_cells);
	}
	ompp_embed_close(e, '}');
	return 0;
}

int ompp_page_threads(struct ompp_embed *e, struct ompp_page_flat *flat)
{
	int rc = put_parts(e, flat);

	return rc ? rc : put_paths(e, flat);
}
