/*
 * Layout: see layout.h.
 */
#include "reports/tables/layout.h"

#include <string.h>

#include "reports/tables/counted.h"
#include "reports/tables/data_columns.h"
#include "reports/tables/sampled.h"

enum field {
	END,
	EXEC_T,
	EXEC_C,
	BODY_T,
	SECT_T,
	SECT_C,
	SINGLE_T,
	SINGLE_C,
	ENTER_T,
	EXIT_T,
	EXIT_BAR_T,
	STARTUP_T,
	SHUTDOWN_T,
	MGMT_T,
	TASK_T,
	WAIT_T,
	TO_B,
	FROM_B,
	SENT_B,
	RECEIVED_B
};

#define NO_ERROR SIZE_MAX

/* What each column shows, and the error that it has in a storm, where there is one.  The implicit barrier is called
 * exitBarT everywhere, as in the CSV files of ompP. */
/* clang-format off */
static const struct { const char *title; enum ompp_kind kind; size_t offset; int is_body; size_t error; } fields[] = {
	[EXEC_T]     = { "execT",    OMPP_KIND_TIME,  offsetof(struct ompp_cell, exec_ns),     0, offsetof(struct ompp_cell, error_ns) },
	[EXEC_C]     = { "execC",    OMPP_KIND_COUNT, offsetof(struct ompp_cell, n_exec),      0, NO_ERROR },
	[BODY_T]     = { "bodyT",    OMPP_KIND_TIME,  offsetof(struct ompp_cell, body_ns),     1, offsetof(struct ompp_cell, body_error_ns) },
	[SECT_T]     = { "sectT",    OMPP_KIND_TIME,  offsetof(struct ompp_cell, body_ns),     1, NO_ERROR },
	[SECT_C]     = { "sectC",    OMPP_KIND_COUNT, offsetof(struct ompp_cell, n_body),      0, NO_ERROR },
	[SINGLE_T]   = { "singleT",  OMPP_KIND_TIME,  offsetof(struct ompp_cell, body_ns),     1, NO_ERROR },
	[SINGLE_C]   = { "singleC",  OMPP_KIND_COUNT, offsetof(struct ompp_cell, n_body),      0, NO_ERROR },
	[ENTER_T]    = { "enterT",   OMPP_KIND_TIME,  offsetof(struct ompp_cell, enter_ns),    0, offsetof(struct ompp_cell, enter_error_ns) },
	[EXIT_T]     = { "exitT",    OMPP_KIND_TIME,  offsetof(struct ompp_cell, exit_ns),     0, offsetof(struct ompp_cell, exit_error_ns) },
	[EXIT_BAR_T] = { "exitBarT", OMPP_KIND_TIME,  offsetof(struct ompp_cell, exit_bar_ns), 0, NO_ERROR },
	[STARTUP_T]  = { "startupT", OMPP_KIND_TIME,  offsetof(struct ompp_cell, startup_ns),  0, NO_ERROR },
	[SHUTDOWN_T] = { "shutdwnT", OMPP_KIND_TIME,  offsetof(struct ompp_cell, shutdown_ns), 0, NO_ERROR },
	[MGMT_T]     = { "mgmtT",    OMPP_KIND_TIME,  offsetof(struct ompp_cell, mgmt_ns),     0, NO_ERROR },
	[TASK_T]     = { "taskT",    OMPP_KIND_TIME,  offsetof(struct ompp_cell, task_ns),     0, NO_ERROR },
	[WAIT_T]     = { "waitT",    OMPP_KIND_TIME,  offsetof(struct ompp_cell, incl_ns),     0, NO_ERROR },
	[TO_B]       = { "mapToB",   OMPP_KIND_METRIC, offsetof(struct ompp_cell, to_bytes),   0, NO_ERROR },
	[FROM_B]     = { "mapFromB", OMPP_KIND_METRIC, offsetof(struct ompp_cell, from_bytes), 0, NO_ERROR },
	[SENT_B]     = { "sentB",    OMPP_KIND_METRIC, offsetof(struct ompp_cell, sent_bytes), 0, NO_ERROR },
	[RECEIVED_B] = { "recvB",    OMPP_KIND_METRIC, offsetof(struct ompp_cell, received_bytes), 0, NO_ERROR },
};

enum { MAX_FIELDS = 10 };

static const unsigned char columns[OMPP_N_FORMS][MAX_FIELDS] = {
	[OMPP_FORM_PLAIN]         = { EXEC_T, EXEC_C, END },
	[OMPP_FORM_TARGET]        = { EXEC_T, EXEC_C, TO_B, FROM_B, END },
	[OMPP_FORM_MESSAGE]       = { EXEC_T, EXEC_C, SENT_B, RECEIVED_B, END },
	[OMPP_FORM_TASK]          = { EXEC_T, EXEC_C, END },
	[OMPP_FORM_TASKS]         = { EXEC_T, EXEC_C, TASK_T, END },
	[OMPP_FORM_WAIT]          = { EXEC_T, EXEC_C, WAIT_T, TASK_T, END },
	[OMPP_FORM_CRITICAL]      = { EXEC_T, EXEC_C, BODY_T, ENTER_T, EXIT_T, END },
	[OMPP_FORM_LOCK]          = { EXEC_T, EXEC_C, BODY_T, ENTER_T, EXIT_T, END },
	[OMPP_FORM_LOOP]          = { EXEC_T, EXEC_C, BODY_T, EXIT_BAR_T, TASK_T, END },
	[OMPP_FORM_SINGLE]        = { EXEC_T, EXEC_C, SINGLE_T, SINGLE_C, EXIT_BAR_T, TASK_T, END },
	[OMPP_FORM_SECTIONS]      = { EXEC_T, EXEC_C, SECT_T, SECT_C, EXIT_BAR_T, MGMT_T, TASK_T, END },
	[OMPP_FORM_TEAM]          = { EXEC_T, EXEC_C, BODY_T, EXIT_BAR_T, STARTUP_T, SHUTDOWN_T, TASK_T, END },
	[OMPP_FORM_TEAM_SECTIONS] = { EXEC_T, EXEC_C, SECT_T, SECT_C, EXIT_BAR_T, STARTUP_T, SHUTDOWN_T, TASK_T, END },
};
/* clang-format on */

static const unsigned char *columns_of(enum ompp_construct construct)
{
	return columns[ompp_constructs[construct].form];
}

int ompp_layout_has_counters(enum ompp_construct construct)
{
	return ompp_constructs[construct].counts != OMPP_COUNTS_NOTHING;
}

static int has_body(enum ompp_construct construct)
{
	unsigned char third = columns_of(construct)[2];

	return third != END && third != TASK_T && third != WAIT_T && third != TO_B && third != SENT_B;
}

const int64_t *ompp_layout_body_ns(enum ompp_construct construct, const struct ompp_cell *cell)
{
	if (has_body(construct))
		return &cell->body_ns;
	return ompp_layout_has_counters(construct) ? &cell->exec_ns : NULL;
}

/* Are there exclusive numbers of the construct? */
static int has_exclusive(enum ompp_construct construct)
{
	return has_body(construct) || ompp_layout_has_counters(construct);
}

/* Does the column have errors beside it?  Where visits are not timed, those are all that has any. */
static int is_estimated(unsigned char field, int estimated)
{
	return estimated & OMPP_ESTIMATED && fields[field].error != NO_ERROR;
}

static int64_t layout_error_ns(unsigned char field, const struct ompp_cell *cell)
{
	int64_t error_ns;

	memcpy(&error_ns, (const char *)cell + fields[field].error, sizeof(error_ns));
	return error_ns;
}

void ompp_layout_columns(const struct ompp_analysis *a, enum ompp_construct construct, int with_exclusive,
                         int estimated, const struct ompp_block *block, struct ompp_table *table)
{
	ompp_table_column(table, "TID", OMPP_IN_BOTH);
	if (!table->rc)
		table->columns[0].min_width = 4;
	for (const unsigned char *f = columns_of(construct); *f != END; f++) {
		int has_error = is_estimated(*f, estimated);

		if (with_exclusive && fields[*f].is_body) {
			ompp_table_wide_time_column(table, ompp_table_title(fields[*f].title, "/I", table->arena),
			                            has_error);
			ompp_table_wide_time_column(table, ompp_table_title(fields[*f].title, "/E", table->arena),
			                            estimated);
		} else {
			ompp_table_wide_time_column(table, fields[*f].title, has_error);
		}
	}
	if (with_exclusive && ompp_layout_has_counters(construct) && !has_body(construct))
		ompp_table_wide_time_column(table, "execT/E", estimated);
	ompp_counted_columns(a, ompp_layout_has_counters(construct), with_exclusive && has_exclusive(construct), table);
	if (block)
		ompp_data_columns(a, with_exclusive, block, table);
	if (block && a->profile->sample_source[0])
		ompp_sampled_columns(with_exclusive, table);
}

void ompp_layout_row(const struct ompp_analysis *a, enum ompp_construct construct, int with_exclusive, int estimated,
                     const struct ompp_block *block, const struct ompp_line *line, struct ompp_table *table)
{
	int64_t exclusive_ns = line->only_data ? OMPP_MISSING : line->exclusive_ns;

	ompp_table_text(table, line->label);
	for (const unsigned char *f = columns_of(construct); *f != END; f++) {
		const char *at = (const char *)&line->cell + fields[*f].offset;
		int64_t number;
		uint64_t count;

		if (fields[*f].kind == OMPP_KIND_COUNT) {
			memcpy(&count, at, sizeof(count));
			number = !count && line->cell.body_ns == OMPP_MISSING ? OMPP_MISSING : ompp_count(count);
		} else {
			memcpy(&number, at, sizeof(number));
		}
		if (line->only_data)
			number = OMPP_MISSING;
		if (is_estimated(*f, estimated))
			ompp_table_time(table, number, layout_error_ns(*f, &line->cell), 1);
		else
			ompp_table_number(table, fields[*f].kind, number);
		if (with_exclusive && fields[*f].is_body)
			ompp_table_time(table, exclusive_ns, line->exclusive_error_ns, estimated);
	}
	if (with_exclusive && ompp_layout_has_counters(construct) && !has_body(construct))
		ompp_table_time(table, exclusive_ns, line->exclusive_error_ns, estimated);
	ompp_counted_values(a, ompp_layout_has_counters(construct), with_exclusive && has_exclusive(construct), line,
	                    table);
	if (block)
		ompp_data_values(a, with_exclusive, block, line->row, table);
	if (block && a->profile->sample_source[0])
		ompp_sampled_values(with_exclusive, block, line->row, table);
}
