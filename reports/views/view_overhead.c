/*
 * Overhead Analysis: how the time of each parallel region's threads divides into work and classes of overhead
 * (analysis/classes.h).
 *
 * SUM is of the parallel regions, as in ompP.  The table of shares of the whole program has two more lines: "serial",
 * the time of all threads but one outside of parallel regions, and ALL, the sum of SUM and serial.  Both are left out
 * if host threads run concurrently, as then they are not known.
 */
#include "reports/tables/view.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/classes.h"
#include "reports/analysis/label.h"
#include "reports/findings/finding_say.h"
#include "reports/tables/costly.h"
#include "reports/tables/table_region.h"
#include "runtime/base/array.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

/* The parallel regions by id, and their order by time, the longest first. */
struct list {
	struct ompp_classes classes;
	uint32_t *order;
};

static int is_after(const void *list, uint32_t x, uint32_t y)
{
	const struct ompp_parallel *px = (const struct ompp_parallel *)list + x,
				   *py = (const struct ompp_parallel *)list + y;

	return px->wall_ns != py->wall_ns ? px->wall_ns < py->wall_ns : x > y;
}

static void put_seconds(struct ompp_text *t, int64_t ns, int64_t whole_ns)
{
	int64_t share = ompp_share(ns, whole_ns);

	ompp_say_seconds(t, ns, 3);
	ompp_text_str(t, " sec (");
	if (share == OMPP_MISSING)
		ompp_text_char(t, '-');
	else
		ompp_text_fixed(t, share, 7, 2);
	ompp_text_str(t, "%)");
}

/* Puts a line of the summary: the text t for people, which is empty afterwards, and the numbers for programs. */
static void put_fact(const char *label, struct ompp_text *t, enum ompp_kind kind, int64_t number, int64_t share,
                     struct ompp_table *table)
{
	ompp_table_text(table, label);
	ompp_table_text(table, ompp_arena_strdup(table->arena, t->data));
	ompp_table_number(table, kind, number);
	ompp_table_number(table, OMPP_KIND_SHARE, share);
	t->n_bytes = 0;
	t->data[0] = '\0';
}

static void put_time(const char *label, struct ompp_text *t, int64_t ns, int64_t whole_ns, struct ompp_table *table)
{
	put_seconds(t, ns, whole_ns);
	put_fact(label, t, OMPP_KIND_TIME, ns, ompp_share(ns, whole_ns), table);
}

static void cost_facts(const struct ompp_analysis *a, struct ompp_text *t, struct ompp_table *table)
{
	const struct ompp_profile *p = a->profile;
	int64_t waiting_ns = ompp_costly_waiting_ns(a);

	put_seconds(t, p->cost_ns, a->capacity_ns);
	ompp_text_str(t, " of all threads' time, taken out");
	put_fact("Own cost of the profiler", t, OMPP_KIND_TIME, p->cost_ns, ompp_share(p->cost_ns, a->capacity_ns),
	         table);
	if (p->cost_least_ns != OMPP_MISSING) /* older profiles do not know it */
		put_time("Own cost at least", t, p->cost_least_ns, a->capacity_ns, table);
	if (p->cost_most_ns != OMPP_MISSING)
		put_time("Own cost at most", t, p->cost_most_ns, a->capacity_ns, table);
	if (waiting_ns)
		put_time("Waiting it may lengthen", t, waiting_ns, a->capacity_ns, table);
}

static int overhead_summary(const struct ompp_analysis *a, struct ompp_sheet *sheet, const struct list *l)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_table *table = &sheet->table;
	char buffer[96];
	struct ompp_text t;

	ompp_table_start(table, OMPP_STYLE_FACTS, "", "");
	ompp_table_left_column(table, "label", OMPP_IN_BOTH);
	if (!table->rc)
		table->columns[0].min_width = 27; /* the longest label */
	ompp_table_left_column(table, "value", OMPP_IN_TEXT);
	ompp_table_columns(table, OMPP_IN_RECORDS, "value", "share");

	ompp_text_init(&t, buffer, sizeof(buffer));
	put_seconds(&t, p->duration_ns, p->duration_ns);
	ompp_text_str(&t, " [");
	ompp_text_u64(&t, a->n_threads);
	ompp_text_str(&t, a->n_threads == 1 ? " thread" : " threads");
	if (a->n_threads > p->max_threads)
		ompp_text_str(&t, ", all teams and hosts");
	ompp_text_char(&t, ']');
	put_fact("Total runtime (wallclock)", &t, OMPP_KIND_TIME, p->duration_ns,
	         ompp_share(p->duration_ns, p->duration_ns), table);
	ompp_text_u64(&t, l->classes.n);
	put_fact("Number of parallel regions", &t, OMPP_KIND_COUNT, (int64_t)l->classes.n, OMPP_MISSING, table);
	put_time("Parallel coverage", &t, l->classes.covered_ns, p->duration_ns, table);
	if (p->off_ns)
		put_time("Measuring off", &t, p->off_ns, p->duration_ns, table);
	cost_facts(a, &t, table);
	return sheet->put(sheet);
}

static int by_wallclock(const struct ompp_analysis *a, struct ompp_sheet *sheet, const struct list *l)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_table *table = &sheet->table;
	int64_t sum_ns = 0;

	ompp_table_start(table, OMPP_STYLE_GRID, "", "Parallel regions sorted by wallclock time:");
	ompp_table_left_columns(table, OMPP_IN_TEXT, "", "Type", "Location");
	ompp_region_columns(table);
	ompp_table_columns(table, OMPP_IN_BOTH, "Wallclock", "(%)");
	for (size_t i = 0; i < l->classes.n; i++) {
		const struct ompp_parallel *row = &l->classes.list[l->order[i]];
		const struct ompp_region *region = &p->regions[row->region];

		if (!a->shown[row->region])
			continue;
		ompp_table_text(table, ompp_region_tag(region, "", a->arena));
		ompp_table_text(table, ompp_construct_name(region->construct));
		ompp_table_text(table, ompp_region_location(a, region));
		ompp_region_values(table, region, region->construct);
		ompp_table_number(table, OMPP_KIND_TIME, row->wall_ns);
		ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(row->wall_ns, p->duration_ns));
		sum_ns = ompp_add(sum_ns, row->outer_wall_ns);
	}
	for (int i = 0; i < 9; i++)
		ompp_table_text(table, i == 0 || i == 3 ? "SUM" : "");
	ompp_table_number(table, OMPP_KIND_TIME, sum_ns);
	ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(sum_ns, p->duration_ns));
	return sheet->put(sheet);
}

/* Puts a row of overheads.
 *
 *   errors: the classes for which some region's time is an estimate; their columns have errors */
static void overhead_row(struct ompp_table *table, const char *label, const struct ompp_parallel *row, int64_t whole_ns,
                         const int64_t errors[OMPP_N_OVERHEADS])
{
	int64_t total_ns = 0;

	for (int i = 0; i < OMPP_N_OVERHEADS; i++)
		total_ns = ompp_add(total_ns, row->overhead_ns[i]);
	ompp_table_text(table, label);
	ompp_table_number(table, OMPP_KIND_TIME, row->total_ns);
	ompp_table_time(table, total_ns, ompp_overhead_error_ns(row->error_ns), ompp_overhead_error_ns(errors) != 0);
	ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(total_ns, whole_ns));
	for (int i = 0; i < OMPP_N_OVERHEADS; i++) {
		ompp_table_time(table, row->overhead_ns[i], row->error_ns[i], errors[i] != 0);
		ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(row->overhead_ns[i], whole_ns));
	}
}

static void overhead_columns(struct ompp_table *table, const int64_t errors[OMPP_N_OVERHEADS])
{
	ompp_table_columns(table, OMPP_IN_BOTH, "", "Total");
	ompp_table_time_column(table, "Ovhds", ompp_overhead_error_ns(errors) != 0);
	ompp_table_column(table, "(%)", OMPP_IN_BOTH);
	for (int i = 0; i < OMPP_N_OVERHEADS; i++) {
		ompp_table_time_column(table, ompp_overhead_title((enum ompp_overhead)i), errors[i] != 0);
		ompp_table_column(table, "(%)", OMPP_IN_BOTH);
	}
}

/* Puts the lines of the time outside of parallel regions and of the whole.  They are left out if only a part of the
 * regions is shown. */
static void whole_rows(const struct ompp_analysis *a, const struct ompp_classes *c, struct ompp_table *table)
{
	struct ompp_parallel serial = { 0 }, all = c->sum;

	if (__builtin_mul_overflow(c->serial_ns, (int64_t)a->n_threads, &serial.total_ns))
		serial.total_ns = INT64_MAX;
	serial.overhead_ns[OMPP_LIMPAR] = c->idle_ns;
	all.total_ns = a->capacity_ns;
	all.overhead_ns[OMPP_LIMPAR] = ompp_add(all.overhead_ns[OMPP_LIMPAR], c->idle_ns);
	overhead_row(table, "serial", &serial, a->capacity_ns, c->sum.error_ns);
	overhead_row(table, "ALL", &all, a->capacity_ns, c->sum.error_ns);
}

/* Puts the table of overheads as shares of whole_ns or, when that is 0, of each region's own time. */
static int overhead_overheads(const struct ompp_analysis *a, struct ompp_sheet *sheet, const struct list *l,
                              const char *heading, const char *tag, int64_t whole_ns)
{
	struct ompp_table *table = &sheet->table;
	struct ompp_parallel sum = { 0 };
	const int64_t *errors = l->classes.sum.error_ns;

	ompp_table_start(table, OMPP_STYLE_GRID, tag, heading);
	overhead_columns(table, errors);
	for (size_t i = 0; i < l->classes.n; i++) {
		const struct ompp_parallel *row = &l->classes.list[l->order[i]];
		const char *label = ompp_region_tag(&a->profile->regions[row->region], "", a->arena);

		if (!a->shown[row->region])
			continue;
		overhead_row(table, label, row, whole_ns ? whole_ns : row->total_ns, errors);
		sum.total_ns = ompp_add(sum.total_ns, row->own_ns);
		for (int k = 0; k < OMPP_N_OVERHEADS; k++) {
			sum.overhead_ns[k] = ompp_add(sum.overhead_ns[k], row->overhead_ns[k]);
			sum.error_ns[k] = ompp_error_add(sum.error_ns[k], row->error_ns[k]);
		}
	}
	overhead_row(table, "SUM", &sum, whole_ns ? whole_ns : sum.total_ns, errors);
	if (whole_ns && a->n_order == a->profile->n_regions && l->classes.idle_ns != OMPP_MISSING)
		whole_rows(a, &l->classes, table);
	return sheet->put(sheet);
}

/* Says what the shares of the whole program are fractions of, and what they include. */
static int say_base(const struct ompp_analysis *a, const struct list *l, struct ompp_sheet *sheet)
{
	int is_whole = a->n_order == a->profile->n_regions;
	struct ompp_text t;

	if (sheet->prints != OMPP_IN_TEXT)
		return 0;
	ompp_say_start(&t, a->arena);
	ompp_text_str(&t, "(%) of all threads' time, ");
	ompp_say_count(&t, a->n_threads, "thread");
	ompp_text_str(&t, " x ");
	ompp_say_time(&t, a->measured_ns);
	ompp_text_str(&t, !is_whole ? "; of the chosen regions alone, without the serial part."
	                  : l->classes.idle_ns == OMPP_MISSING
	                          ? ". SUM is without the serial part, which is not known where threads of the program "
	                            "run side by side."
	                          : ". SUM is without the serial part, ALL is with it: there all threads but one have "
	                            "nothing to do, which is "
	                            "limited parallelism.");
	ompp_table_start(&sheet->table, OMPP_STYLE_LINES, "", "");
	ompp_table_left_column(&sheet->table, "", OMPP_IN_TEXT);
	ompp_table_text(&sheet->table, t.data);
	return sheet->put(sheet);
}

static int overhead_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	struct list l;
	int rc = ompp_classes(a, &l.classes);

	l.order = ompp_arena_alloc(a->arena, l.classes.n * sizeof(*l.order));
	if (rc || !l.order)
		return -ENOMEM;
	for (uint32_t i = 0; i < l.classes.n; i++)
		l.order[i] = i;
	ompp_sort(l.order, l.classes.n, is_after, l.classes.list);
	rc = overhead_summary(a, sheet, &l);
	if (!rc && l.classes.n)
		rc = by_wallclock(a, sheet, &l);
	if (!rc && l.classes.n)
		rc = overhead_overheads(a, sheet, &l, "Overheads wrt. each individual parallel region:",
		                        "overheads wrt. each individual parallel region", 0);
	if (!rc)
		rc = overhead_overheads(a, sheet, &l, "Overheads wrt. whole program:", "overheads wrt. whole program",
		                        a->capacity_ns);
	if (!rc)
		rc = say_base(a, &l, sheet);
	return rc ? rc : ompp_costly(a, sheet);
}

const struct ompp_view ompp_view_overhead = {
	.title = "Overhead Analysis Report", .tag = "overhead analysis report", .build = overhead_build, .has_times = 1
};
