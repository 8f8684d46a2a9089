/*
 * Hot Spots: the functions and lines in which threads were at the ticks of their processor time, by region.
 */
#include "reports/tables/view.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/hot_functions.h"
#include "reports/analysis/label.h"
#include "reports/findings/finding_say.h"
#include "runtime/base/clean.h"

enum { MOST_ROWS = 24, MOST_FILES = 8 };

static int hot_is_empty(const struct ompp_analysis *a)
{
	return !a->profile->n_hot_spots;
}

static const char *region_text(const struct ompp_analysis *a, uint32_t region)
{
	return region == OMPP_NONE ? ompp_hot_outside(a) : ompp_region_label(a, &a->profile->regions[region]);
}

static const char *text_of(const struct ompp_analysis *a, const struct ompp_hot_spot *spot,
                           void (*put)(struct ompp_text *t, const struct ompp_hot_spot *spot))
{
	struct ompp_text t;

	ompp_say_start(&t, a->arena);
	put(&t, spot);
	return t.data;
}

static const char *heading_of(const struct ompp_analysis *a, const struct ompp_hot_rows *rows)
{
	struct ompp_text t;

	ompp_say_start(&t, a->arena);
	ompp_text_str(&t, "Functions by processor time in user mode: ");
	ompp_say_count(&t, rows->n_samples, "sample");
	ompp_text_str(&t, ", one each ");
	ompp_say_time(&t, (int64_t)a->profile->hot_period_ns);
	ompp_text_str(&t,
	              " of a thread's\n(the line is that with most of them; % is of the region, % all of all samples)");
	return t.data;
}

static int put_text(const struct ompp_analysis *a, const struct ompp_hot_rows *rows, struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;
	size_t n = rows->n < MOST_ROWS ? rows->n : MOST_ROWS;

	if (a->top && a->top < n)
		n = a->top;
	ompp_table_start(table, OMPP_STYLE_GRID, "", heading_of(a, rows));
	ompp_table_left_columns(table, OMPP_IN_TEXT, "function", "line");
	ompp_table_time_column(table, "seconds", 1);
	ompp_table_columns(table, OMPP_IN_TEXT, "%", "% +-", "% all");
	ompp_table_left_column(table, "in", OMPP_IN_TEXT);
	for (size_t i = 0; i < n; i++) {
		const struct ompp_hot_row *row = &rows->list[i];
		const struct ompp_hot_function *f = &row->function;

		ompp_table_text(table, text_of(a, f->spot, ompp_hot_put_function));
		ompp_table_text(table, text_of(a, f->spot, ompp_hot_put_location));
		ompp_table_time(table, f->ns, ompp_hot_error_ns(f->ns, f->n), 1);
		ompp_table_number(table, OMPP_KIND_SHARE, ompp_share((int64_t)f->n, (int64_t)row->n_region));
		ompp_table_number(table, OMPP_KIND_SHARE, ompp_hot_share_error(f->n, row->n_region));
		ompp_table_number(table, OMPP_KIND_SHARE, ompp_share((int64_t)f->n, (int64_t)rows->n_samples));
		ompp_table_text(table, region_text(a, row->region));
	}
	return sheet->put(sheet);
}

/* Returns 1 when the list has a name. */
static int is_among(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(names[i], name))
			return 1;
	return 0;
}

/* Says which files have no names for their functions, and what to do. */
static void say_stripped(const struct ompp_analysis *a, struct ompp_text *t)
{
	const struct ompp_profile *p = a->profile;
	const char *files[MOST_FILES];
	size_t n = 0;

	for (size_t i = 0; i < p->n_hot_spots && n < MOST_FILES; i++)
		if (p->hot_spots[i].is_stripped && !is_among(files, n, p->hot_spots[i].module))
			files[n++] = p->hot_spots[i].module;
	if (!n)
		return;
	ompp_text_str(t, "Names are missing: ");
	for (size_t i = 0; i < n; i++) {
		ompp_text_str(t, i ? ", " : "");
		ompp_clean(t, files[i][0] ? files[i] : p->app, 0);
	}
	ompp_text_str(t, n == MOST_FILES ? " and maybe others" : "");
	ompp_text_str(t, n == 1 ? " has" : " have");
	ompp_text_str(t, " no symbols (stripped). Link without -s, and measure before strip. ");
}

/* Says what is missing. */
static int put_losses(const struct ompp_analysis *a, const struct ompp_hot_rows *rows, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	uint64_t n_own = rows->n_own;
	struct ompp_table *table = &sheet->table;
	struct ompp_text t;

	ompp_table_start(table, OMPP_STYLE_LINES, "", "");
	ompp_table_left_column(table, "remark", OMPP_IN_TEXT);
	ompp_say_start_long(&t, a->arena);
	if (rows->n > MOST_ROWS) {
		ompp_say_count(&t, rows->n - MOST_ROWS, "more row");
		ompp_text_str(&t, " with less. ");
	}
	if (n_own) {
		ompp_say_count(&t, n_own, "more sample");
		ompp_text_str(&t, ", ");
		ompp_text_fixed(&t, ompp_share((int64_t)n_own, (int64_t)(n_own + rows->n_samples)), 7, 0);
		ompp_text_str(&t, n_own == 1 ? " % of all, was" : " % of all, were");
		ompp_text_str(&t, " in kinst's own code, which counts accesses and times regions: left out. ");
	}
	say_stripped(a, &t);
	if (p->n_hot_lost) {
		ompp_say_count(&t, p->n_hot_lost, "sample");
		ompp_text_str(&t, " found no room, as a thread had no event for long: their function is not known. ");
	}
	if (p->n_hot_stopped) {
		ompp_say_count(&t, p->n_hot_stopped, "thread");
		ompp_text_str(&t, p->n_hot_stopped == 1 ? " was" : " were");
		ompp_text_str(&t, " sampled at the beginning only: switching the processor as often as that would take "
		                  "above 1 % longer while it is sampled.");
	}
	if (!t.n_bytes)
		return 0;
	ompp_table_text(table, t.data);
	return sheet->put(sheet);
}

/* Puts a record for each region, thread, function and line. */
static int put_records(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_table *table = &sheet->table;

	ompp_table_start(table, OMPP_STYLE_GRID, "hot spots", "");
	ompp_table_columns(table, OMPP_IN_RECORDS, "region", "thread", "module", "function", "within", "file", "line",
	                   "samples", "seconds", "seconds +-");
	for (size_t i = 0; i < p->n_hot_spots; i++) {
		const struct ompp_hot_spot *h = &p->hot_spots[i];
		uint32_t region = p->nodes[h->node].region;

		if (region != OMPP_NONE && !a->named[region])
			continue;
		ompp_table_text(table, region == OMPP_NONE ? "" : ompp_region_tag(&p->regions[region], "", a->arena));
		ompp_table_text(table, p->rows[h->row].label);
		ompp_table_text(table, h->module);
		ompp_table_text(table, h->function);
		ompp_table_text(table, h->within);
		ompp_table_text(table, h->file);
		ompp_table_number(table, OMPP_KIND_COUNT, h->line ? h->line : OMPP_MISSING);
		ompp_table_number(table, OMPP_KIND_COUNT, (int64_t)h->n);
		ompp_table_number(table, OMPP_KIND_TIME, h->ns);
		ompp_table_number(table, OMPP_KIND_TIME, h->error_ns);
	}
	return sheet->put(sheet);
}

static int put_none(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	ompp_table_start(&sheet->table, OMPP_STYLE_LINES, "", "");
	ompp_table_left_column(&sheet->table, "remark", OMPP_IN_BOTH);
	ompp_table_text(&sheet->table,
	                a->profile->hot_period_ns
	                        ? "No sample was taken: the run had too little processor time in user mode."
	                        : "Processor time was not sampled: OMPP_HOT is 0, OMPP_SAMPLE is set, ulimit -v is "
	                          "below 1 GiB, or a note of the general information says why.");
	return sheet->put(sheet);
}

static int hot_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	struct ompp_hot_rows rows;
	int rc;

	if (hot_is_empty(a))
		return put_none(a, sheet);
	if (sheet->prints != OMPP_IN_TEXT)
		return put_records(a, sheet);
	rc = ompp_hot_rows(a, &rows);
	if (!rc)
		rc = put_text(a, &rows, sheet);
	return rc ? rc : put_losses(a, &rows, sheet);
}

const struct ompp_view ompp_view_hot = {
	.title = "Hot Spots", .tag = "hot spots", .build = hot_build, .is_empty = hot_is_empty, .has_times = 1
};
