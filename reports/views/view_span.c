/*
 * Parallelism: the work and the span of the run, which times they allow with more threads, and where the longest path
 * lies (runtime/span/span.h).
 */
#include "reports/tables/view.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/label.h"
#include "reports/bounds/forecast.h"
#include "reports/findings/finding_say.h"
#include "reports/tables/data_section.h"
#include "reports/tables/table_region.h"
#include "reports/views/span_gains.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

enum { MOST_REGIONS = 8 };

static int is_known(int64_t ns)
{
	return ns != OMPP_MISSING && ns > 0;
}

/* Adds a / b with two digits behind the point; nothing where b is 0 or one is missing. */
static void put_ratio(struct ompp_table *table, int64_t a, int64_t b)
{
	if (is_known(a) && is_known(b))
		ompp_table_decimal(table, ompp_decimal((int64_t)((__int128)a * 100 / b), -2));
	else
		ompp_table_number(table, OMPP_KIND_COUNT, OMPP_MISSING);
}

/* ---- the run ---- */

static void run_row(struct ompp_table *table, const char *path, int64_t ns, int64_t work_ns, const char *known_as)
{
	ompp_table_text(table, path);
	ompp_table_number(table, OMPP_KIND_TIME, ns);
	put_ratio(table, work_ns, ns);
	ompp_table_text(table, known_as);
}

static int put_run(const struct ompp_profile *p, struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;
	int is_bound = p->n_tasks_lost || p->n_depends_unseen;

	ompp_table_start(table, OMPP_STYLE_GRID, "work and span", "The run:");
	ompp_table_left_column(table, "what", OMPP_IN_BOTH);
	ompp_table_columns(table, OMPP_IN_BOTH, "time", "parallelism");
	ompp_table_left_column(table, "known as", OMPP_IN_BOTH);
	run_row(table, "work", p->work_ns, OMPP_MISSING, "measured");
	run_row(table, "span, burdened", p->burdened_ns, p->work_ns, is_bound ? "at least" : "measured");
	run_row(table, "span", p->span_ns, p->work_ns, is_bound ? "at least" : "measured");
	run_row(table, "span, loops divided", p->fixed_ns, p->work_ns, "at least");
	return sheet->put(sheet);
}

/* ---- more threads ---- */

static void forecast_columns(struct ompp_table *table)
{
	ompp_table_columns(table, OMPP_IN_BOTH, "threads", "at least", "likely", "at most", "limit (%)");
	ompp_table_left_column(table, "limited by", OMPP_IN_BOTH);
}

static void forecast_values(struct ompp_table *table, const struct ompp_forecast *f)
{
	int64_t whole_ns = f->likely_ns == OMPP_MISSING ? f->least_ns : f->likely_ns;

	ompp_table_number(table, OMPP_KIND_COUNT, f->n_threads);
	ompp_table_number(table, OMPP_KIND_TIME, f->least_ns);
	ompp_table_number(table, OMPP_KIND_TIME, f->likely_ns);
	ompp_table_number(table, OMPP_KIND_TIME, f->most_ns);
	ompp_table_number(table, OMPP_KIND_SHARE, whole_ns > 0 ? ompp_share(f->limit_ns, whole_ns) : OMPP_MISSING);
	ompp_table_text(table, ompp_limit_text(f->limit));
}

static int put_prediction(const struct ompp_forecasts *f, struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;

	if (f->serial_ns == OMPP_MISSING || !f->n)
		return 0;
	ompp_table_start(table, OMPP_STYLE_GRID, "time by threads", "The same run with other numbers of threads:");
	forecast_columns(table);
	for (int i = 0; i < OMPP_FORECASTS; i++)
		forecast_values(table, &f->run[i]);
	return sheet->put(sheet);
}

static int is_less_likely(const void *forecasts, uint32_t x, uint32_t y)
{
	const struct ompp_region_forecast *a = (const struct ompp_region_forecast *)forecasts + x;
	const struct ompp_region_forecast *b = (const struct ompp_region_forecast *)forecasts + y;

	return a->by[0].least_ns != b->by[0].least_ns ? a->by[0].least_ns < b->by[0].least_ns : x > y;
}

/* Text shows the regions with most work. */
static int put_region_predictions(const struct ompp_analysis *a, const struct ompp_forecasts *f,
                                  struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_table *table = &sheet->table;
	const uint32_t *order = ompp_sorted(a->arena, f->n, is_less_likely, f->regions);

	if (!order)
		return -ENOMEM;
	ompp_table_start(table, OMPP_STYLE_GRID, "region by threads",
	                 "Parallel regions with other numbers of threads, all executions together:");
	ompp_region_columns(table);
	forecast_columns(table);
	ompp_table_left_column(table, "region", OMPP_IN_TEXT);
	for (size_t i = 0; i < f->n && !(sheet->prints == OMPP_IN_TEXT && i == MOST_REGIONS); i++) {
		const struct ompp_region_forecast *r = &f->regions[order[i]];
		const struct ompp_node *node = &p->nodes[r->node];

		if (node->region == OMPP_NONE || !a->shown[node->region])
			continue;
		for (int k = 0; k < OMPP_FORECASTS; k++) {
			const struct ompp_region *region = &p->regions[node->region];

			if (r->by[k].least_ns == OMPP_MISSING)
				continue;
			ompp_region_values(table, region, node->construct);
			forecast_values(table, &r->by[k]);
			ompp_table_text(table, ompp_region_title(a, region, node->construct));
		}
	}
	return table->n_values ? sheet->put(sheet) : 0;
}

/* ---- regions and tasks ---- */

static int put_regions(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_table *table = &sheet->table;

	ompp_table_start(table, OMPP_STYLE_GRID, "span by region",
	                 "Parallel regions from fork to join, and tasks from begin to end, all executions together:");
	ompp_region_columns(table);
	ompp_table_columns(table, OMPP_IN_BOTH, "n", "work", "burdened", "span", "longest", "parallelism",
	                   "loops divided");
	ompp_table_left_column(table, "region", OMPP_IN_TEXT);
	for (size_t i = 0; i < p->n_spans; i++) {
		const struct ompp_span_record *s = &p->spans[i];
		const struct ompp_node *node = &p->nodes[s->node];
		const struct ompp_region *region = node->region == OMPP_NONE ? NULL : &p->regions[node->region];

		if (!s->n || !region || !a->shown[node->region])
			continue;
		ompp_region_values(table, region, node->construct);
		ompp_table_number(table, OMPP_KIND_METRIC, ompp_count(s->n));
		ompp_table_number(table, OMPP_KIND_TIME,
		                  s->inner_work_ns == OMPP_MISSING ? s->work_ns : s->inner_work_ns);
		ompp_table_number(table, OMPP_KIND_TIME, s->burdened_ns);
		ompp_table_number(table, OMPP_KIND_TIME, s->span_ns);
		ompp_table_number(table, OMPP_KIND_TIME, s->most_span_ns);
		put_ratio(table, s->inner_work_ns, s->span_ns);
		put_ratio(table, s->inner_work_ns, s->fixed_ns);
		ompp_table_text(table, ompp_region_title(a, region, node->construct));
	}
	return table->n_values ? sheet->put(sheet) : 0;
}

/* ---- the longest path ---- */

/* Returns the regions from the outermost to that of a node. */
static const char *path_text(const struct ompp_analysis *a, uint32_t node)
{
	const struct ompp_profile *p = a->profile;
	const struct ompp_node *n = &p->nodes[node];
	const char *own, *above;
	struct ompp_text t;

	if (n->region == OMPP_NONE)
		return "serial part";
	own = ompp_region_title(a, &p->regions[n->region], n->construct);
	if (n->parent == OMPP_NONE || p->nodes[n->parent].region == OMPP_NONE || !own)
		return own;
	above = path_text(a, n->parent);
	ompp_say_start(&t, a->arena);
	ompp_text_str(&t, above ? above : "");
	ompp_text_str(&t, " > ");
	ompp_text_str(&t, own);
	return t.data;
}

/* Those with most time on the path come first, and those with most work. */
static int is_less(const void *spans, uint32_t x, uint32_t y)
{
	const struct ompp_span_record *a = (const struct ompp_span_record *)spans + x;
	const struct ompp_span_record *b = (const struct ompp_span_record *)spans + y;

	if (a->path_ns != b->path_ns)
		return a->path_ns < b->path_ns;
	return a->work_ns != b->work_ns ? a->work_ns < b->work_ns : x > y;
}

/* Returns "On the longest path 62.1 % is TASKEXEC sort.c (41-44), which is 8.0 % of the work:". */
static const char *path_heading(const struct ompp_analysis *a, const struct ompp_span_record *s)
{
	const struct ompp_profile *p = a->profile;
	const struct ompp_node *n = &p->nodes[s->node];
	const char *own = n->region == OMPP_NONE ? "the serial part"
	                                         : ompp_region_title(a, &p->regions[n->region], n->construct);
	struct ompp_text t;

	if (!is_known(s->path_ns) || !is_known(p->span_ns) || !own)
		return "Work by call path:";
	ompp_say_start(&t, a->arena);
	ompp_text_str(&t, "On the longest path ");
	ompp_say_share(&t, ompp_share(s->path_ns, p->span_ns));
	ompp_text_str(&t, " is ");
	ompp_text_str(&t, own);
	ompp_text_str(&t, ", which is ");
	ompp_say_share(&t, ompp_share(s->work_ns, p->work_ns));
	ompp_text_str(&t, " of the work:");
	return t.data;
}

static int put_path(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_table *table = &sheet->table;
	const uint32_t *order = ompp_sorted(a->arena, p->n_spans, is_less, p->spans);
	int is_text = sheet->prints == OMPP_IN_TEXT;
	size_t n = is_text && p->n_spans > OMPP_DATA_MOST_LINES ? OMPP_DATA_MOST_LINES : p->n_spans;

	if (!order)
		return -ENOMEM;
	if (!p->n_spans)
		return 0;
	ompp_table_start(table, OMPP_STYLE_GRID, "longest path", path_heading(a, &p->spans[order[0]]));
	ompp_table_columns(table, OMPP_IN_BOTH, "path", "path (%)", "work", "work (%)");
	ompp_table_left_column(table, "call path", OMPP_IN_BOTH);
	for (size_t i = 0; i < n; i++) {
		const struct ompp_span_record *s = &p->spans[order[i]];

		if (!s->work_ns && !is_known(s->path_ns))
			continue;
		ompp_table_number(table, OMPP_KIND_TIME, s->path_ns);
		ompp_table_number(table, OMPP_KIND_SHARE,
		                  s->path_ns == OMPP_MISSING ? OMPP_MISSING : ompp_share(s->path_ns, p->span_ns));
		ompp_table_number(table, OMPP_KIND_TIME, s->work_ns);
		ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(s->work_ns, p->work_ns));
		ompp_table_text(table, path_text(a, s->node));
	}
	if (p->span_rest_ns) {
		ompp_table_number(table, OMPP_KIND_TIME, p->span_rest_ns);
		ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(p->span_rest_ns, p->span_ns));
		ompp_table_number(table, OMPP_KIND_TIME, OMPP_MISSING);
		ompp_table_number(table, OMPP_KIND_SHARE, OMPP_MISSING);
		ompp_table_text(table, "others");
	}
	return table->n_values ? sheet->put(sheet) : 0;
}

/* ---- the section ---- */

/* Returns whether of a region only the bounds are known, though all of its tasks and dependences are. */
static int lacks_likely(const struct ompp_profile *p)
{
	for (size_t i = 0; i < p->n_predictions; i++)
		if (p->predictions[i].likely_ns == OMPP_MISSING)
			return 1;
	return 0;
}

static const char *span_legend(const struct ompp_profile *p, struct ompp_arena *arena)
{
	struct ompp_text t;

	ompp_say_start(&t, arena);
	ompp_text_str(&t,
	              "Work is the time in the program's own code; the span is the longest chain of it, each part of "
	              "which "
	              "waited for the one before; parallelism is work by span. Burdened: with what creating and "
	              "starting tasks and teams and leaving waits took. Loops divided: as if iterations of loops took "
	              "no time, which threads execute in shares here. Waiting for locks is in none of them.");
	if (p->n_tasks_lost) {
		ompp_text_str(&t, " Who created ");
		ompp_say_count(&t, p->n_tasks_lost, "task");
		ompp_text_str(&t, " is not known: they count from the team's begin, and the span may be longer.");
	}
	if (p->n_depends_unseen) {
		ompp_text_str(&t, " ");
		ompp_say_count(&t, p->n_depends_unseen, "dependence");
		ompp_text_str(&t, " of tasks could not be seen, and the span may be longer.");
	}
	if (lacks_likely(p))
		ompp_text_str(
			&t,
			" Where tasks are not deferred (if, final) and the order of all is not known, with taskloop "
			"nogroup, and where it is not known how the OpenMP library deals a loop out, no time is said "
			"to be likely: it is between at least and at most.");
	return t.data;
}

static int span_is_empty(const struct ompp_analysis *a)
{
	return !a->profile->has_span;
}

static int span_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	const struct ompp_forecasts *forecasts;
	const char *legend;
	int rc;

	if (!p->has_span)
		return ompp_data_remark("The longest path is not known: run with OMPP_SPAN=1.", sheet);
	forecasts = ompp_forecasts(a);
	if (!forecasts)
		return -ENOMEM;
	legend = span_legend(p, a->arena);
	rc = put_run(p, sheet);
	rc = rc ? rc : put_prediction(forecasts, sheet);
	rc = rc ? rc : put_region_predictions(a, forecasts, sheet);
	rc = rc ? rc : put_regions(a, sheet);
	rc = rc ? rc : put_path(a, sheet);
	rc = rc ? rc : ompp_put_lock_gains(a, sheet);
	rc = rc ? rc : ompp_put_gains(a, sheet);
	return rc ? rc : legend ? ompp_data_remark(legend, sheet) : -ENOMEM;
}

const struct ompp_view ompp_view_span = {
	.title = "Parallelism", .tag = "parallelism", .build = span_build, .is_empty = span_is_empty, .has_times = 1
};
