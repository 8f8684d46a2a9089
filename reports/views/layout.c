/*
 * Layout: see layout.h.
 */
#include "reports/views/layout.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/text.h"

enum field {
	END, EXEC_T, EXEC_C, BODY_T, SECT_T, SECT_C, SINGLE_T, SINGLE_C, ENTER_T, EXIT_T, EXIT_BAR_T,
	STARTUP_T, SHUTDOWN_T, MGMT_T, TASK_T
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
};

enum { MAX_FIELDS = 10 };

#define PLAIN     { EXEC_T, EXEC_C, END }
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
	[OMPP_BARRIER]            = { { EXEC_T, EXEC_C, TASK_T, END }, 0 },
	[OMPP_FLUSH]              = { PLAIN, 0 },
	[OMPP_ORDERED]            = { LOCKLIKE, 1 },
	[OMPP_TASK]               = { PLAIN, 1 },
	[OMPP_TASKEXEC]           = { PLAIN, 1 },
	[OMPP_TASKWAIT]           = { PLAIN, 1 },
	[OMPP_LOCK]               = { LOCKLIKE, 0 },
	[OMPP_NEST_LOCK]          = { LOCKLIKE, 0 },
	[OMPP_USER_REGION]        = { PLAIN, 1 },
	[OMPP_FUNCTION]           = { PLAIN, 1 },
};

int ompp_layout_has_counters(enum ompp_construct construct)
{
	return layouts[construct].counters;
}

static int has_body(enum ompp_construct construct)
{
	return layouts[construct].fields[2] != END && layouts[construct].fields[2] != TASK_T;
}

const int64_t *ompp_layout_body_ns(enum ompp_construct construct, const struct ompp_cell *cell)
{
	if (has_body(construct))
		return &cell->body_ns;
	return layouts[construct].counters ? &cell->exec_ns : NULL;
}

static void column(struct ompp_table *table, const char *title)
{
	ompp_table_column(table, title, OMPP_IN_BOTH);
	if (!table->rc)
		table->columns[table->n_columns - 1].min_width = 10;
}

static const char *with_suffix(const char *name, const char *suffix, struct ompp_arena *arena)
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

void ompp_layout_columns(const struct ompp_profile *profile, enum ompp_construct construct, int with_exclusive,
                         struct ompp_table *table)
{
	ompp_table_column(table, "TID", OMPP_IN_BOTH);
	if (!table->rc)
		table->columns[0].min_width = 4;
	for (const unsigned char *f = layouts[construct].fields; *f != END; f++) {
		if (with_exclusive && fields[*f].is_body) {
			column(table, with_suffix(fields[*f].title, "/I", table->arena));
			column(table, with_suffix(fields[*f].title, "/E", table->arena));
		} else {
			column(table, fields[*f].title);
		}
	}
	if (!layouts[construct].counters)
		return;
	if (with_exclusive && !has_body(construct))
		column(table, "execT/E");
	for (size_t m = 0; m < profile->n_metrics; m++) {
		const char *name = profile->metrics[m].name;

		column(table, with_exclusive ? with_suffix(name, "/I", table->arena) : name);
		if (with_exclusive)
			column(table, with_suffix(name, "/E", table->arena));
	}
}

void ompp_layout_row(const struct ompp_profile *profile, enum ompp_construct construct, int with_exclusive,
                     const struct ompp_line *line, struct ompp_table *table)
{
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
		ompp_table_number(table, fields[*f].kind, number);
		if (with_exclusive && fields[*f].is_body)
			ompp_table_number(table, OMPP_KIND_TIME, line->exclusive_ns);
	}
	if (!layouts[construct].counters)
		return;
	if (with_exclusive && !has_body(construct))
		ompp_table_number(table, OMPP_KIND_TIME, line->exclusive_ns);
	for (size_t m = 0; m < profile->n_metrics; m++) {
		ompp_table_number(table, OMPP_KIND_METRIC, line->values[m]);
		if (with_exclusive)
			ompp_table_number(table, OMPP_KIND_METRIC, line->exclusive_values[m]);
	}
}

static int64_t add_value(int64_t a, int64_t b)
{
	return a == OMPP_MISSING || b == OMPP_MISSING ? OMPP_MISSING : ompp_add(a, b);
}

void ompp_line_add(const struct ompp_profile *profile, struct ompp_line *sum, const struct ompp_line *line)
{
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
	memset(&line->cell, 0, sizeof(line->cell));
	line->exclusive_ns = 0;
	memset(line->values, 0, profile->n_metrics * sizeof(int64_t));
	memset(line->exclusive_values, 0, profile->n_metrics * sizeof(int64_t));
}
