/*
 * Table: see table.h.
 */
#include "reports/tables/table.h"

#include <errno.h>
#include <string.h>

#include "reports/profile/profile.h"
#include "runtime/base/text.h"

enum { WIDE = 10 }; /* columns of most numbers */

void ompp_table_init(struct ompp_table *table, struct ompp_arena *arena)
{
	memset(table, 0, sizeof(*table));
	table->arena = arena;
	table->tag = table->heading = "";
}

void ompp_table_start(struct ompp_table *table, enum ompp_style style, const char *tag, const char *heading)
{
	table->style = style;
	table->tag = tag ? tag : "";
	table->heading = heading ? heading : "";
	table->is_tight = table->has_bars = 0;
	table->tones = NULL;
	table->n_records = table->n_columns = table->n_values = 0;
}

/* Makes room for one more element of *array.  Returns 1 if there is room. */
static int table_more(struct ompp_table *table, void *array, size_t *have, size_t n, size_t element_bytes)
{
	void *old, *new;

	if (table->rc)
		return 0;
	memcpy(&old, array, sizeof(old));
	new = ompp_arena_grow(table->arena, old, have, n + 1, element_bytes);
	if (!new) {
		table->rc = -ENOMEM;
		return 0;
	}
	memcpy(array, &new, sizeof(new));
	return 1;
}

static void table_column(struct ompp_table *table, const char *title, enum ompp_where where, int left)
{
	if (!title)
		table->rc = -ENOMEM;
	if (!table_more(table, &table->columns, &table->have_columns, table->n_columns, sizeof(*table->columns)))
		return;
	table->columns[table->n_columns++] = (struct ompp_column){ .title = title, .where = where, .left = left };
}

void ompp_table_column(struct ompp_table *table, const char *title, enum ompp_where where)
{
	table_column(table, title, where, 0);
}

void ompp_table_left_column(struct ompp_table *table, const char *title, enum ompp_where where)
{
	table_column(table, title, where, 1);
}

void ompp_table_columns_of(struct ompp_table *table, enum ompp_where where, int left, const char *const *titles)
{
	for (; *titles; titles++)
		table_column(table, *titles, where, left);
}

static void table_value(struct ompp_table *table, struct ompp_value v)
{
	if ((table->n_values < table->have_values && !table->rc) ||
	    table_more(table, &table->values, &table->have_values, table->n_values, sizeof(*table->values)))
		table->values[table->n_values++] = v;
}

static struct ompp_value text_value(const char *text)
{
	return (struct ompp_value){ .kind = OMPP_KIND_TEXT, .text = text ? text : "" };
}

void ompp_table_text(struct ompp_table *table, const char *text)
{
	table_value(table, text_value(text));
}

void ompp_table_number(struct ompp_table *table, enum ompp_kind kind, int64_t number)
{
	table_value(table,
	            (struct ompp_value){ .kind = number == OMPP_MISSING ? OMPP_KIND_NONE : kind, .number = number });
}

void ompp_table_decimal(struct ompp_table *table, struct ompp_decimal decimal)
{
	int is_missing = decimal.mantissa == OMPP_MISSING;

	table_value(table,
	            (struct ompp_value){ .kind = is_missing ? OMPP_KIND_NONE : OMPP_KIND_DECIMAL, .decimal = decimal });
}

void ompp_table_range(struct ompp_table *table, uint32_t least, uint32_t most)
{
	table_value(table, (struct ompp_value){ .kind = OMPP_KIND_RANGE, .range = { least, most } });
}

void ompp_table_rounded(struct ompp_table *table, int64_t milli, int64_t error_milli)
{
	struct ompp_decimal d = { milli, -3 };
	int64_t unit = 1;

	if (milli == OMPP_MISSING || error_milli == OMPP_MISSING) {
		ompp_table_number(table, OMPP_KIND_NONE, OMPP_MISSING);
		return;
	}
	for (; error_milli / unit >= 100; unit *= 10)
		if (d.exponent < 0) {
			d.mantissa = (milli + unit * 5) / (unit * 10);
			d.exponent++;
		}
	if (unit > 1000)
		d.mantissa = (milli + unit / 2) / unit * (unit / 1000);
	table_value(table, (struct ompp_value){ .kind = OMPP_KIND_ROUNDED, .decimal = d });
}

void ompp_table_record(struct ompp_table *table)
{
	if (table_more(table, &table->records, &table->have_records, table->n_records, sizeof(*table->records)))
		table->records[table->n_records++].n = 0;
}

static void record_value(struct ompp_table *table, struct ompp_value v)
{
	struct ompp_record *r = table->n_records ? &table->records[table->n_records - 1] : NULL;

	if (!table->rc && r && r->n < OMPP_RECORD_MAX)
		r->values[r->n++] = v;
}

void ompp_record_text(struct ompp_table *table, const char *text)
{
	record_value(table, text_value(text));
}

void ompp_record_number(struct ompp_table *table, int64_t number)
{
	record_value(table, (struct ompp_value){ .kind = OMPP_KIND_COUNT, .number = number });
}

size_t ompp_table_n_rows(const struct ompp_table *table)
{
	return table->n_columns ? table->n_values / table->n_columns : 0;
}

void ompp_table_wide_column(struct ompp_table *table, const char *title)
{
	ompp_table_column(table, title, OMPP_IN_BOTH);
	if (!table->rc)
		table->columns[table->n_columns - 1].min_width = WIDE;
}

const char *ompp_table_title(const char *name, const char *suffix, struct ompp_arena *arena)
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

static void time_column(struct ompp_table *table, const char *title, const char *text_title, unsigned int min_width)
{
	ompp_table_column(table, title, OMPP_IN_BOTH);
	if (table->rc)
		return;
	table->columns[table->n_columns - 1].text_title = text_title;
	table->columns[table->n_columns - 1].min_width = min_width;
}

static void time_columns(struct ompp_table *table, const char *title, int has_errors, unsigned int min_width)
{
	time_column(table, title, has_errors ? ompp_table_title(title, "~", table->arena) : NULL, min_width);
	if (!has_errors)
		return;
	time_column(table, ompp_table_title(title, " +-", table->arena), "+-", min_width);
	if (!table->rc)
		table->columns[table->n_columns - 1].joined = 1;
}

void ompp_table_time_column(struct ompp_table *table, const char *title, int has_errors)
{
	time_columns(table, title, has_errors, 0);
}

void ompp_table_wide_time_column(struct ompp_table *table, const char *title, int has_errors)
{
	time_columns(table, title, has_errors, WIDE);
}

void ompp_table_time(struct ompp_table *table, int64_t ns, int64_t error_ns, int has_errors)
{
	ompp_table_number(table, OMPP_KIND_TIME, ns);
	if (has_errors)
		ompp_table_number(table, OMPP_KIND_TIME, ns == OMPP_MISSING ? OMPP_MISSING : error_ns);
}
