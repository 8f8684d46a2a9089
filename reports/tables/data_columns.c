/*
 * Data columns: see data_columns.h.
 */
#include "reports/tables/data_columns.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/label.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

/* Text has room for the columns of a few objects.  More objects are put into lines below each other. */
enum { MAX_TEXT_OBJECTS = 4, MAX_TEXT_LINES = 32 };

static unsigned int known_of(const struct ompp_analysis *a, uint32_t object)
{
	return object == OMPP_NONE ? a->traffic->all_known : a->traffic->known[object];
}

/* Adds up a column of a block over all lines. */
static void sum_column(const struct ompp_block *b, const int64_t *values, size_t column, int64_t sum[OMPP_N_TRAFFIC])
{
	memset(sum, 0, OMPP_N_TRAFFIC * sizeof(*sum));
	for (size_t line = 0; line < b->n_lines; line++)
		ompp_traffic_add(sum, &values[(line * b->n_objects + column) * OMPP_N_TRAFFIC]);
}

static int is_in_text(const struct ompp_analysis *a, const struct ompp_block *b, size_t column,
                      enum ompp_traffic_kind kind)
{
	int64_t sum[OMPP_N_TRAFFIC];

	if (a->all_columns)
		return 1;
	if (b->objects[column] == OMPP_NONE || b->objects[column] < OMPP_OBJECT_FIRST_NAMED ||
	    b->n_named > MAX_TEXT_OBJECTS)
		return 0;
	if (kind != OMPP_TRAFFIC_ATOMICS)
		return kind < OMPP_TRAFFIC_BYTES;
	sum_column(b, b->values, column, sum);
	return sum[kind] != 0;
}

/* Returns the title of a column, "a:loads", "(12 more):loads" or "a:loads/I". */
static const char *data_title(const struct ompp_analysis *a, const struct ompp_block *b, size_t column,
                              enum ompp_traffic_kind kind, const char *suffix)
{
	uint32_t object = b->objects[column];
	const char *name = object == OMPP_NONE ? "" : a->profile->objects[object].name;
	size_t n = strlen(name) + strlen(suffix) + 64;
	char *buffer = ompp_arena_alloc(a->arena, n);
	struct ompp_text t;

	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	ompp_text_str(&t, name);
	if (object == OMPP_NONE) {
		ompp_text_char(&t, '(');
		ompp_text_u64(&t, b->n_more);
		ompp_text_str(&t, " more)");
	}
	ompp_text_char(&t, ':');
	ompp_text_str(&t, ompp_traffic_title(kind));
	ompp_text_str(&t, suffix);
	return buffer;
}

static void data_column(struct ompp_table *table, const char *title, int in_text, int joined)
{
	ompp_table_wide_column(table, title);
	if (table->rc)
		return;
	table->columns[table->n_columns - 1].where = in_text ? OMPP_IN_BOTH : OMPP_IN_RECORDS;
	table->columns[table->n_columns - 1].joined = joined;
}

void ompp_data_columns(const struct ompp_analysis *a, int with_exclusive, const struct ompp_block *b,
                       struct ompp_table *table)
{
	for (size_t i = 0; i < b->n_objects; i++) {
		int joined = 0;

		for (int k = 0; k < OMPP_N_TRAFFIC; k++) {
			enum ompp_traffic_kind kind = (enum ompp_traffic_kind)k;
			int in_text = is_in_text(a, b, i, kind);

			if (!ompp_traffic_has(known_of(a, b->objects[i]), kind))
				continue;
			data_column(table, data_title(a, b, i, kind, with_exclusive ? "/I" : ""), in_text, joined);
			joined |= in_text;
			if (with_exclusive)
				data_column(table, data_title(a, b, i, kind, "/E"), in_text, joined);
		}
	}
}

void ompp_data_values(const struct ompp_analysis *a, int with_exclusive, const struct ompp_block *b, uint32_t row,
                      struct ompp_table *table)
{
	uint32_t line = row == OMPP_NONE ? OMPP_NONE : b->line_of[row];

	for (size_t i = 0; i < b->n_objects; i++) {
		int64_t values[OMPP_N_TRAFFIC] = { 0 }, exclusive[OMPP_N_TRAFFIC] = { 0 };

		if (row == OMPP_NONE) {
			sum_column(b, b->values, i, values);
			sum_column(b, b->exclusive, i, exclusive);
		} else if (line != OMPP_NONE) {
			size_t at = ((size_t)line * b->n_objects + i) * OMPP_N_TRAFFIC;

			memcpy(values, &b->values[at], sizeof(values));
			memcpy(exclusive, &b->exclusive[at], sizeof(exclusive));
		}
		for (int k = 0; k < OMPP_N_TRAFFIC; k++) {
			if (!ompp_traffic_has(known_of(a, b->objects[i]), (enum ompp_traffic_kind)k))
				continue;
			ompp_table_number(table, OMPP_KIND_METRIC, values[k]);
			if (with_exclusive)
				ompp_table_number(table, OMPP_KIND_METRIC, exclusive[k]);
		}
	}
}

int ompp_data_has_row(const struct ompp_analysis *a, const struct ompp_block *block, uint32_t row,
                      enum ompp_where prints)
{
	uint32_t line = block ? block->line_of[row] : OMPP_NONE;

	if (line == OMPP_NONE || prints != OMPP_IN_TEXT)
		return line != OMPP_NONE;
	if (block->sampled[line].n)
		return 1;
	for (size_t i = 0; i < block->n_objects; i++)
		for (int k = 0; k < OMPP_N_TRAFFIC; k++)
			if (block->values[((size_t)line * block->n_objects + i) * OMPP_N_TRAFFIC + (size_t)k] &&
			    ompp_traffic_has(known_of(a, block->objects[i]), (enum ompp_traffic_kind)k) &&
			    is_in_text(a, block, i, (enum ompp_traffic_kind)k))
				return 1;
	return 0;
}

/* Returns the heading of the table below a block. */
static const char *objects_heading(const struct ompp_region *region, size_t n_left_out, int is_modelled,
                                   struct ompp_arena *arena)
{
	const char *tag = ompp_region_tag(region, "", arena);
	char buffer[160];
	struct ompp_text t;

	if (!tag)
		return NULL;
	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_str(&t, "Data objects of ");
	ompp_text_str(&t, tag);
	ompp_text_str(&t, ", all threads");
	if (n_left_out) {
		ompp_text_str(&t, ", without ");
		ompp_text_u64(&t, n_left_out);
		ompp_text_str(&t, " that cost less");
	}
	ompp_text_str(&t, is_modelled ? "; misses are modelled:" : ":");
	return ompp_arena_strdup(arena, buffer);
}

static void objects_columns(unsigned int known, int with_exclusive, struct ompp_table *table)
{
	ompp_table_left_column(table, "object", OMPP_IN_TEXT);
	for (int k = 0; k < OMPP_N_TRAFFIC; k++) {
		const char *title = ompp_traffic_title((enum ompp_traffic_kind)k);

		if (!ompp_traffic_has(known, (enum ompp_traffic_kind)k))
			continue;
		data_column(table, with_exclusive ? ompp_table_title(title, "/I", table->arena) : title, 1, 0);
		if (with_exclusive)
			data_column(table, ompp_table_title(title, "/E", table->arena), 1, 1);
	}
}

static void objects_row(const struct ompp_analysis *a, const struct ompp_block *b, size_t column, unsigned int known,
                        int with_exclusive, struct ompp_table *table)
{
	int64_t values[OMPP_N_TRAFFIC], exclusive[OMPP_N_TRAFFIC];

	sum_column(b, b->values, column, values);
	sum_column(b, b->exclusive, column, exclusive);
	ompp_table_text(table, a->profile->objects[b->objects[column]].name);
	for (int k = 0; k < OMPP_N_TRAFFIC; k++) {
		if (!ompp_traffic_has(known, (enum ompp_traffic_kind)k))
			continue;
		ompp_table_number(table, OMPP_KIND_METRIC, values[k]);
		if (with_exclusive)
			ompp_table_number(table, OMPP_KIND_METRIC, exclusive[k]);
	}
}

struct costs {
	const struct ompp_analysis *analysis;
	const struct ompp_block *block;
};

static int costs_less(const void *context, uint32_t x, uint32_t y)
{
	const struct costs *c = context;
	const int64_t *cost = c->analysis->traffic->object_cost;
	uint32_t ox = c->block->objects[x], oy = c->block->objects[y];

	return cost[ox] != cost[oy] ? cost[ox] < cost[oy] : x > y;
}

int ompp_data_objects(const struct ompp_analysis *a, const struct ompp_region *region, int with_exclusive,
                      const struct ompp_block *block, struct ompp_sheet *sheet)
{
	struct costs costs = { a, block };
	int is_modelled = block && ompp_traffic_last_level(a->traffic) != OMPP_N_TRAFFIC;
	unsigned int known = 0;
	uint32_t *order;
	size_t n = 0, n_lines;

	if (sheet->prints != OMPP_IN_TEXT || !block || a->all_columns)
		return 0;
	if (block->n_named <= MAX_TEXT_OBJECTS && !is_modelled)
		return 0;
	order = ompp_arena_alloc(a->arena, block->n_objects * sizeof(*order));
	if (!order)
		return -ENOMEM;
	for (uint32_t i = 0; i < block->n_objects; i++)
		if (block->objects[i] != OMPP_NONE && (block->objects[i] >= OMPP_OBJECT_FIRST_NAMED ||
		                                       (is_modelled && a->traffic->known[block->objects[i]]))) {
			known |= a->traffic->known[block->objects[i]];
			order[n++] = i;
		}
	ompp_sort(order, n, costs_less, &costs);
	n_lines = n < MAX_TEXT_LINES ? n : MAX_TEXT_LINES;
	ompp_table_start(&sheet->table, OMPP_STYLE_GRID, "",
	                 objects_heading(region, n - n_lines + block->n_more, is_modelled, a->arena));
	objects_columns(known, with_exclusive, &sheet->table);
	for (size_t i = 0; i < n_lines; i++)
		objects_row(a, block, order[i], known, with_exclusive, &sheet->table);
	return sheet->put(sheet);
}
