/*
 * By rank: see by_rank.h.
 */
#include "reports/ranks/by_rank.h"

#include <errno.h>
#include <string.h>

#include "reports/findings/finding_say.h"
#include "reports/ranks/rank_spread.h"
#include "reports/tables/data_section.h"
#include "runtime/base/text.h"
#include "runtime/terms/option.h"

int ompp_by_rank_is(const struct ompp_analysis *a, const struct ompp_sheet *sheet)
{
	return sheet->prints == OMPP_IN_TEXT && a->most_ranks && !a->ranks && a->profile->n_processes > a->most_ranks;
}

/* ---- which ranks were chosen ---- */

/* Returns the number that the text is; -1 when it is none. */
static int64_t number_of(const char *text, const char *end)
{
	int64_t number = text < end ? 0 : -1;

	for (; text < end && number >= 0; text++)
		number = *text < '0' || *text > '9' || number > INT32_MAX ? -1 : number * 10 + (*text - '0');
	return number;
}

int ompp_by_rank_is_list(const char *list)
{
	const char *word;
	size_t n, n_words = 0;

	for (; (n = ompp_list_next(&list, &word)); n_words++) {
		const char *end = word + n, *dash = memchr(word, '-', n);

		if (number_of(word, dash ? dash : end) < 0 || (dash && number_of(dash + 1, end) < 0))
			return 0;
	}
	return n_words > 0;
}

/* Is the number in a list such as 0,5-7? */
static int is_listed(const char *list, int64_t number)
{
	const char *word;
	size_t n;

	while ((n = ompp_list_next(&list, &word))) {
		const char *end = word + n, *dash = memchr(word, '-', n);
		int64_t least = number_of(word, dash ? dash : end);
		int64_t most = dash ? number_of(dash + 1, end) : least;

		if (least >= 0 && number >= least && number <= most)
			return 1;
	}
	return 0;
}

/* Returns the process of a row. */
static size_t process_of(const struct ompp_profile *p, uint32_t row)
{
	size_t lo = 0, hi = p->n_processes;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		*(p->processes[mid].first_row <= row ? &lo : &hi) = mid;
	}
	return lo;
}

int ompp_by_rank_shows(const struct ompp_analysis *a, uint32_t row)
{
	const struct ompp_profile *p = a->profile;
	const char *name;

	if (!a->ranks || !a->ranks[0] || !p->n_processes)
		return 1;
	name = p->processes[process_of(p, row)].name; /* r3 */
	return name[0] && is_listed(a->ranks, number_of(name + 1, name + strlen(name)));
}

/* ---- the table ---- */

/* A column of the table that has a row for each thread. */
struct turned {
	struct ompp_rank_spread spread;
	int64_t here; /* of the rank at hand; OMPP_MISSING when one of its rows has no number */
};

static int is_addable(enum ompp_kind kind)
{
	return kind == OMPP_KIND_COUNT || kind == OMPP_KIND_METRIC || kind == OMPP_KIND_TIME;
}

/* Are two rows of one process?  Their labels are r3:0 and r3:1. */
static int is_same(const char *x, const char *y)
{
	size_t n = strcspn(x, ":");

	return n == strcspn(y, ":") && !memcmp(x, y, n);
}

/* Adds up the rows of each process.  Returns how many processes have rows. */
static uint32_t turn_rows(struct turned *list, const struct ompp_value *values, size_t n_rows, size_t n_columns)
{
	uint32_t n_ranks = 0;

	for (size_t i = 0, end; i < n_rows; i = end) {
		const char *label = values[i * n_columns].text;

		for (size_t c = 1; c < n_columns; c++)
			list[c].here = 0;
		for (end = i; end < n_rows && is_same(label, values[end * n_columns].text); end++)
			for (size_t c = 1; c < n_columns; c++) {
				const struct ompp_value *v = &values[end * n_columns + c];
				int is_number = is_addable(v->kind);

				list[c].here = is_number && list[c].here != OMPP_MISSING
				                     ? ompp_add(list[c].here, v->number)
				                     : OMPP_MISSING;
			}
		for (size_t c = 1; c < n_columns; c++)
			ompp_rank_spread_add(&list[c].spread, list[c].here, label);
		n_ranks++;
	}
	return n_ranks;
}

static void put_value(struct ompp_table *table, const struct ompp_value *v)
{
	if (v->kind == OMPP_KIND_TEXT)
		ompp_table_text(table, v->text);
	else if (v->kind == OMPP_KIND_DECIMAL)
		ompp_table_decimal(table, v->decimal);
	else if (v->kind == OMPP_KIND_ROUNDED || v->kind == OMPP_KIND_RANGE)
		ompp_table_text(table, "-");
	else
		ompp_table_number(table, v->kind, v->number);
}

/* "R00002 a.c (12-20) PARALLEL, 255 of 256 ranks" */
static const char *turned_heading(const struct ompp_analysis *a, const char *heading, uint32_t n_ranks)
{
	size_t n = strlen(heading) + 64;
	char *buffer = ompp_arena_alloc(a->arena, n);
	struct ompp_text t;

	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	ompp_text_str(&t, heading);
	ompp_text_str(&t, ", ");
	ompp_text_u64(&t, n_ranks);
	if (n_ranks < a->profile->n_processes) {
		ompp_text_str(&t, " of ");
		ompp_text_u64(&t, a->profile->n_processes);
	}
	ompp_text_str(&t, a->profile->mpi_rank >= 0 ? " ranks" : " processes");
	return buffer;
}

static int is_error(const struct ompp_column *column)
{
	return !strcmp(column->title, "+-");
}

void ompp_by_rank_turn(const struct ompp_analysis *a, struct ompp_table *table)
{
	size_t n_columns = table->n_columns, n_rows = n_columns ? table->n_values / n_columns : 0;
	struct ompp_column *columns = ompp_arena_alloc(a->arena, (n_columns + 1) * sizeof(*columns));
	struct ompp_value *values = ompp_arena_alloc(a->arena, (n_columns + 1) * sizeof(*values)); /* of SUM */
	struct turned *list = ompp_arena_alloc(a->arena, (n_columns + 1) * sizeof(*list));
	const char *heading = table->heading;
	int has_errors = 0;
	uint32_t n_ranks;

	if (table->rc || n_rows < 2)
		return;
	if (!columns || !values || !list) {
		table->rc = -ENOMEM;
		return;
	}
	n_ranks = turn_rows(list, table->values, n_rows - 1, n_columns);
	memcpy(columns, table->columns, n_columns * sizeof(*columns));
	memcpy(values, table->values + (n_rows - 1) * n_columns, n_columns * sizeof(*values));
	for (size_t c = 0; c < n_columns; c++)
		has_errors |= is_error(&columns[c]);
	ompp_table_start(table, OMPP_STYLE_GRID, table->tag, turned_heading(a, heading, n_ranks));
	ompp_rank_spread_columns(table, has_errors);
	for (size_t c = 1; c < n_columns; c++) {
		if (columns[c].where == OMPP_IN_RECORDS || is_error(&columns[c]))
			continue;
		ompp_table_text(table, columns[c].text_title ? columns[c].text_title : columns[c].title);
		ompp_rank_spread_put(table, values[c].kind, &list[c].spread);
		put_value(table, &values[c]);
		if (has_errors && c + 1 < n_columns && is_error(&columns[c + 1]))
			put_value(table, &values[c + 1]);
		else if (has_errors)
			ompp_table_text(table, "");
	}
}

int ompp_by_rank_say(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	struct ompp_text t;

	ompp_say_start(&t, a->arena);
	ompp_text_str(&t,
	              "Numbers of a rank are the sums of its threads; the mean is that of the ranks that were there. "
	              "--ranks=0,5-7 prints the threads of these ranks, --ranks=all those of all.");
	return ompp_data_remark(t.data, sheet);
}
