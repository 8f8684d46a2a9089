/*
 * Layout: see layout.h.
 */
#include "reports/views/layout.h"

#include <errno.h>
#include <string.h>

#include "reports/views/counted.h"
#include "reports/views/label.h"
#include "reports/views/sort.h"
#include "runtime/base/text.h"

enum field {
	END, EXEC_T, EXEC_C, BODY_T, SECT_T, SECT_C, SINGLE_T, SINGLE_C, ENTER_T, EXIT_T, EXIT_BAR_T,
	STARTUP_T, SHUTDOWN_T, MGMT_T, TASK_T, WAIT_T
};

/* What a column shows.  The implicit barrier is exitBarT everywhere, as in the CSV files of ompP. */
static const struct { const char *title; enum ompp_kind kind; size_t offset; int is_body; } fields[] = {
	[EXEC_T]     = { "execT",    OMPP_KIND_TIME,  offsetof(struct ompp_cell, exec_ns),     0 },
	[EXEC_C]     = { "execC",    OMPP_KIND_COUNT, offsetof(struct ompp_cell, n_exec),      0 },
	[BODY_T]     = { "bodyT",    OMPP_KIND_TIME,  offsetof(struct ompp_cell, body_ns),     1 },
	[SECT_T]     = { "sectT",    OMPP_KIND_TIME,  offsetof(struct ompp_cell, body_ns),     1 },
	[SECT_C]     = { "sectC",    OMPP_KIND_COUNT, offsetof(struct ompp_cell, n_body),      0 },
	[SINGLE_T]   = { "singleT",  OMPP_KIND_TIME,  offsetof(struct ompp_cell, body_ns),     1 },
	[SINGLE_C]   = { "singleC",  OMPP_KIND_COUNT, offsetof(struct ompp_cell, n_body),      0 },
	[ENTER_T]    = { "enterT",   OMPP_KIND_TIME,  offsetof(struct ompp_cell, enter_ns),    0 },
	[EXIT_T]     = { "exitT",    OMPP_KIND_TIME,  offsetof(struct ompp_cell, exit_ns),     0 },
	[EXIT_BAR_T] = { "exitBarT", OMPP_KIND_TIME,  offsetof(struct ompp_cell, exit_bar_ns), 0 },
	[STARTUP_T]  = { "startupT", OMPP_KIND_TIME,  offsetof(struct ompp_cell, startup_ns),  0 },
	[SHUTDOWN_T] = { "shutdwnT", OMPP_KIND_TIME,  offsetof(struct ompp_cell, shutdown_ns), 0 },
	[MGMT_T]     = { "mgmtT",    OMPP_KIND_TIME,  offsetof(struct ompp_cell, mgmt_ns),     0 },
	[TASK_T]     = { "taskT",    OMPP_KIND_TIME,  offsetof(struct ompp_cell, task_ns),     0 },
	[WAIT_T]     = { "waitT",    OMPP_KIND_TIME,  offsetof(struct ompp_cell, incl_ns),     0 },
};

enum { MAX_FIELDS = 10 };

#define PLAIN     { EXEC_T, EXEC_C, END }
#define TASKLIKE  { EXEC_T, EXEC_C, TASK_T, END }
#define LOOPLIKE  { EXEC_T, EXEC_C, BODY_T, EXIT_BAR_T, TASK_T, END }
#define LOCKLIKE  { EXEC_T, EXEC_C, BODY_T, ENTER_T, EXIT_T, END }
#define TEAMLIKE  { EXEC_T, EXEC_C, BODY_T, EXIT_BAR_T, STARTUP_T, SHUTDOWN_T, TASK_T, END }

static const struct { unsigned char fields[MAX_FIELDS]; int counters; } layouts[OMPP_N_CONSTRUCTS] = {
	[OMPP_PARALLEL]           = { TEAMLIKE, 1 },
	[OMPP_PARALLEL_LOOP]      = { TEAMLIKE, 1 },
	[OMPP_PARALLEL_WORKSHARE] = { TEAMLIKE, 1 },
	[OMPP_PARALLEL_SECTIONS]  = { { EXEC_T, EXEC_C, SECT_T, SECT_C, EXIT_BAR_T, STARTUP_T, SHUTDOWN_T, TASK_T, END },
	                              1 },
	[OMPP_LOOP]               = { LOOPLIKE, 1 },
	[OMPP_WORKSHARE]          = { LOOPLIKE, 1 },
	[OMPP_SECTIONS]           = { { EXEC_T, EXEC_C, SECT_T, SECT_C, EXIT_BAR_T, MGMT_T, TASK_T, END }, 1 },
	[OMPP_SINGLE]             = { { EXEC_T, EXEC_C, SINGLE_T, SINGLE_C, EXIT_BAR_T, TASK_T, END }, 1 },
	[OMPP_MASTER]             = { PLAIN, 1 },
	[OMPP_CRITICAL]           = { LOCKLIKE, 1 },
	[OMPP_ATOMIC]             = { PLAIN, 0 },
	[OMPP_BARRIER]            = { TASKLIKE, 0 },
	[OMPP_FLUSH]              = { PLAIN, 0 },
	[OMPP_ORDERED]            = { LOCKLIKE, 1 },
	[OMPP_TASK]               = { PLAIN, 1 },
	[OMPP_TASKEXEC]           = { PLAIN, 1 },
	[OMPP_TASKWAIT]           = { { EXEC_T, EXEC_C, WAIT_T, TASK_T, END }, 1 },
	[OMPP_LOCK]               = { LOCKLIKE, 0 },
	[OMPP_NEST_LOCK]          = { LOCKLIKE, 0 },
	[OMPP_USER_REGION]        = { PLAIN, 1 },
	[OMPP_FUNCTION]           = { PLAIN, 1 },
	[OMPP_TASKLOOP]           = { TASKLIKE, 1 },
	[OMPP_TASKGROUP]          = { TASKLIKE, 1 },
	[OMPP_TASKYIELD]          = { TASKLIKE, 1 },
	[OMPP_MASKED]             = { PLAIN, 1 },
	[OMPP_SCOPE]              = { LOOPLIKE, 1 },
	[OMPP_GENERIC_LOOP]       = { PLAIN, 1 },
	[OMPP_SIMD]               = { PLAIN, 1 },
	[OMPP_TEAMS]              = { PLAIN, 1 },
	[OMPP_DISTRIBUTE]         = { PLAIN, 1 },
	[OMPP_TARGET]             = { PLAIN, 1 },
	[OMPP_TARGET_DATA]        = { PLAIN, 1 },
	[OMPP_TARGET_ENTER_DATA]  = { PLAIN, 1 },
	[OMPP_TARGET_EXIT_DATA]   = { PLAIN, 1 },
	[OMPP_TARGET_UPDATE]      = { PLAIN, 1 },
	[OMPP_CANCEL]             = { PLAIN, 0 },
	[OMPP_CANCELLATION_POINT] = { PLAIN, 0 },
	[OMPP_DEPOBJ]             = { PLAIN, 0 },
};

int ompp_layout_has_counters(enum ompp_construct construct)
{
	return layouts[construct].counters;
}

static int has_body(enum ompp_construct construct)
{
	unsigned char third = layouts[construct].fields[2];

	return third != END && third != TASK_T && third != WAIT_T;
}

const int64_t *ompp_layout_body_ns(enum ompp_construct construct, const struct ompp_cell *cell)
{
	if (has_body(construct))
		return &cell->body_ns;
	return layouts[construct].counters ? &cell->exec_ns : NULL;
}

/* Does the construct have exclusive numbers of its body? */
static int has_exclusive(enum ompp_construct construct)
{
	return has_body(construct) || layouts[construct].counters;
}

void ompp_layout_column(struct ompp_table *table, const char *title)
{
	ompp_table_column(table, title, OMPP_IN_BOTH);
	if (!table->rc)
		table->columns[table->n_columns - 1].min_width = 10;
}

const char *ompp_layout_title(const char *name, const char *suffix, struct ompp_arena *arena)
{
	size_t n = strlen(name) + strlen(suffix) + 1;
	char *buffer = ompp_arena_alloc(arena, n);
	struct ompp_text t;

	if (buffer) {
		ompp_text_init(&t, buffer, n);
		ompp_text_str(&t, name);
		ompp_text_str(&t, suffix);
	}
	return buffer;
}

/* Text has room for the columns of a few objects; more of them stand below each other. */
enum { MAX_TEXT_OBJECTS = 4, MAX_TEXT_LINES = 32 };

static unsigned int known_of(const struct ompp_analysis *a, uint32_t object)
{
	return object == OMPP_NONE ? a->traffic->all_known : a->traffic->known[object];
}

/* The sum of a block's column over all lines. */
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

/* "a:loads", "(12 more):loads", "a:loads/I". */
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
	ompp_layout_column(table, title);
	if (table->rc)
		return;
	table->columns[table->n_columns - 1].where = in_text ? OMPP_IN_BOTH : OMPP_IN_RECORDS;
	table->columns[table->n_columns - 1].joined = joined;
}

static void data_columns(const struct ompp_analysis *a, int with_exclusive, const struct ompp_block *b,
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

static void data_values(const struct ompp_analysis *a, int with_exclusive, const struct ompp_block *b, uint32_t row,
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

int ompp_layout_has_data(const struct ompp_analysis *a, const struct ompp_block *block, uint32_t row,
                         enum ompp_where prints)
{
	uint32_t line = block ? block->line_of[row] : OMPP_NONE;

	if (line == OMPP_NONE || prints != OMPP_IN_TEXT)
		return line != OMPP_NONE;
	for (size_t i = 0; i < block->n_objects; i++)
		for (int k = 0; k < OMPP_N_TRAFFIC; k++)
			if (block->values[((size_t)line * block->n_objects + i) * OMPP_N_TRAFFIC + (size_t)k] &&
			    ompp_traffic_has(known_of(a, block->objects[i]), (enum ompp_traffic_kind)k) &&
			    is_in_text(a, block, i, (enum ompp_traffic_kind)k))
				return 1;
	return 0;
}

/* The heading of the lines below a block. */
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
		data_column(table, with_exclusive ? ompp_layout_title(title, "/I", table->arena) : title, 1, 0);
		if (with_exclusive)
			data_column(table, ompp_layout_title(title, "/E", table->arena), 1, 1);
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

struct costs { const struct ompp_analysis *analysis; const struct ompp_block *block; };

static int costs_less(const void *context, uint32_t x, uint32_t y)
{
	const struct costs *c = context;
	const int64_t *cost = c->analysis->traffic->object_cost;
	uint32_t ox = c->block->objects[x], oy = c->block->objects[y];

	return cost[ox] != cost[oy] ? cost[ox] < cost[oy] : x > y;
}

int ompp_layout_objects(const struct ompp_analysis *a, const struct ompp_region *region, int with_exclusive,
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

void ompp_layout_columns(const struct ompp_analysis *a, enum ompp_construct construct, int with_exclusive,
                         const struct ompp_block *block, struct ompp_table *table)
{
	ompp_table_column(table, "TID", OMPP_IN_BOTH);
	if (!table->rc)
		table->columns[0].min_width = 4;
	for (const unsigned char *f = layouts[construct].fields; *f != END; f++) {
		if (with_exclusive && fields[*f].is_body) {
			ompp_layout_column(table, ompp_layout_title(fields[*f].title, "/I", table->arena));
			ompp_layout_column(table, ompp_layout_title(fields[*f].title, "/E", table->arena));
		} else {
			ompp_layout_column(table, fields[*f].title);
		}
	}
	if (with_exclusive && layouts[construct].counters && !has_body(construct))
		ompp_layout_column(table, "execT/E");
	ompp_counted_columns(a, layouts[construct].counters, with_exclusive && has_exclusive(construct), table);
	if (block)
		data_columns(a, with_exclusive, block, table);
}

void ompp_layout_row(const struct ompp_analysis *a, enum ompp_construct construct, int with_exclusive,
                     const struct ompp_block *block, const struct ompp_line *line, struct ompp_table *table)
{
	int64_t exclusive_ns = line->only_data ? OMPP_MISSING : line->exclusive_ns;

	ompp_table_text(table, line->label);
	for (const unsigned char *f = layouts[construct].fields; *f != END; f++) {
		const char *at = (const char *)&line->cell + fields[*f].offset;
		int64_t number;
		uint64_t count;

		if (fields[*f].kind == OMPP_KIND_COUNT) {
			memcpy(&count, at, sizeof(count));
			number = ompp_count(count);
		} else {
			memcpy(&number, at, sizeof(number));
		}
		if (line->only_data)
			number = OMPP_MISSING;
		ompp_table_number(table, fields[*f].kind, number);
		if (with_exclusive && fields[*f].is_body)
			ompp_table_number(table, OMPP_KIND_TIME, exclusive_ns);
	}
	if (with_exclusive && layouts[construct].counters && !has_body(construct))
		ompp_table_number(table, OMPP_KIND_TIME, exclusive_ns);
	ompp_counted_values(a, layouts[construct].counters, with_exclusive && has_exclusive(construct), line, table);
	if (block)
		data_values(a, with_exclusive, block, line->row, table);
}

static int64_t add_value(int64_t a, int64_t b)
{
	return a == OMPP_MISSING || b == OMPP_MISSING ? OMPP_MISSING : ompp_add(a, b);
}

void ompp_line_add(const struct ompp_profile *profile, struct ompp_line *sum, const struct ompp_line *line)
{
	sum->n_rows++;
	ompp_cell_add(&sum->cell, &line->cell);
	sum->exclusive_ns = ompp_add(sum->exclusive_ns, line->exclusive_ns);
	for (size_t m = 0; m < profile->n_metrics; m++) {
		sum->values[m] = add_value(sum->values[m], line->values[m]);
		sum->exclusive_values[m] = add_value(sum->exclusive_values[m], line->exclusive_values[m]);
	}
}

int ompp_line_init(const struct ompp_profile *profile, struct ompp_line *line, struct ompp_arena *arena)
{
	memset(line, 0, sizeof(*line));
	line->label = "";
	line->values = ompp_arena_alloc(arena, profile->n_metrics * sizeof(int64_t));
	line->exclusive_values = ompp_arena_alloc(arena, profile->n_metrics * sizeof(int64_t));
	return line->values && line->exclusive_values ? 0 : -ENOMEM;
}

void ompp_line_clear(const struct ompp_profile *profile, struct ompp_line *line)
{
	line->n_rows = 0;
	memset(&line->cell, 0, sizeof(line->cell));
	line->exclusive_ns = 0;
	memset(line->values, 0, profile->n_metrics * sizeof(int64_t));
	memset(line->exclusive_values, 0, profile->n_metrics * sizeof(int64_t));
}
