/*
 * Durations of Visits: a row for each region with the first visit, the shortest, the median, the 95th percentile and
 * the longest of the others, and how they changed in the course of the run; a task construct has a row for the
 * execution of its tasks, and none for making them.  Text shows the middle of what a quantile lies between, records
 * both bounds.
 */
#include "reports/analysis/visits.h"

#include <errno.h>

#include "reports/analysis/label.h"
#include "reports/tables/cut.h"
#include "reports/tables/table_region.h"
#include "reports/tables/view.h"

static void quantile_columns(struct ompp_table *table, const char *name)
{
	ompp_table_column(table, ompp_table_title(name, "~", table->arena), OMPP_IN_TEXT);
	ompp_table_column(table, ompp_table_title(name, " at least", table->arena), OMPP_IN_RECORDS);
	ompp_table_column(table, ompp_table_title(name, " at most", table->arena), OMPP_IN_RECORDS);
}

static void durations_columns(struct ompp_table *table)
{
	ompp_table_left_column(table, "region", OMPP_IN_TEXT);
	ompp_region_columns(table);
	ompp_table_columns(table, OMPP_IN_BOTH, "visits", "firstT", "leastT");
	quantile_columns(table, "medianT");
	quantile_columns(table, "95 %T");
	ompp_table_columns(table, OMPP_IN_BOTH, "mostT", "at", "TID", "earlyT", "lateT", "rising");
}

static void duration_value(struct ompp_table *table, int is_known, int64_t ns)
{
	ompp_table_number(table, OMPP_KIND_TIME, is_known ? ns : OMPP_MISSING);
}

static void quantile_values(struct ompp_table *table, int is_known, struct ompp_between between)
{
	duration_value(table, is_known, between.least_ns + (between.most_ns - between.least_ns) / 2);
	duration_value(table, is_known, between.least_ns);
	duration_value(table, is_known, between.most_ns);
}

static void durations_row(const struct ompp_analysis *a, const struct ompp_region *region, int kind,
                          const struct ompp_visits *d, struct ompp_table *table)
{
	enum ompp_construct construct = kind ? OMPP_TASKEXEC : region->construct;
	int is_known = d->n > 0;

	ompp_table_text(table, ompp_region_title(a, region, construct));
	ompp_region_values(table, region, construct);
	ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(d->n + d->n_first));
	duration_value(table, d->n_first > 0, d->first_ns);
	duration_value(table, is_known, d->least_ns);
	quantile_values(table, is_known, d->median);
	quantile_values(table, is_known, d->p95);
	duration_value(table, is_known, d->most_ns);
	ompp_table_number(table, OMPP_KIND_COUNT, is_known ? ompp_count(d->most_at) : OMPP_MISSING);
	ompp_table_text(table, is_known ? a->profile->rows[d->most_row].label : "-");
	ompp_table_number(table, OMPP_KIND_TIME, ompp_trend_mean(d->trend.early_ns, d->trend.n_early));
	ompp_table_number(table, OMPP_KIND_TIME, ompp_trend_mean(d->trend.late_ns, d->trend.n_late));
	ompp_table_number(table, OMPP_KIND_SHARE,
	                  ompp_share(ompp_count(d->trend.n_rising), ompp_count(d->trend.n_pairs)));
}

/* Chooses the rows: two for each region, itself and its TASKEXEC, where there is something to tell. */
static int durations_choose(const struct ompp_analysis *a, const struct ompp_sheet *sheet, struct ompp_visits *all,
                            struct ompp_cut *cut)
{
	int rc = ompp_cut_init(cut, a, 2 * a->n_order);

	for (size_t i = 0; i < cut->n && !rc; i++) {
		uint32_t region = a->order[i / 2];

		rc = ompp_visits_of(a, region, i % 2, &all[i]);
		cut->n_rows[i] = all[i].n + all[i].n_first > 0;
		cut->ns[i] = a->sums[i % 2][region].exec_ns;
	}
	return rc ? rc : ompp_cut_choose(cut, a, sheet);
}

static int durations_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	struct ompp_visits *all = ompp_arena_alloc(a->arena, 2 * a->n_order * sizeof(*all));
	struct ompp_table *table = &sheet->table;
	struct ompp_cut cut;
	int rc = all ? durations_choose(a, sheet, all, &cut) : -ENOMEM;

	if (rc)
		return rc;
	ompp_table_start(table, OMPP_STYLE_GRID, "", "");
	durations_columns(table);
	for (size_t i = 0; i < cut.n; i++)
		if (cut.n_rows[i] && !cut.is_out[i])
			durations_row(a, &a->profile->regions[a->order[i / 2]], i % 2, &all[i], table);
	rc = sheet->put(sheet);
	return rc ? rc : ompp_cut_say(&cut, a, "region", sheet);
}

static int durations_are_empty(const struct ompp_analysis *a)
{
	return !a->profile->n_durations;
}

const struct ompp_view ompp_view_durations = { .title = "Durations of Visits",
	                                       .tag = "durations of visits",
	                                       .build = durations_build,
	                                       .is_empty = durations_are_empty,
	                                       .has_times = 1,
	                                       .is_detail = 1 };
