/*
 * Callgraph: the regions as a tree, with their wall-clock times (analysis/weights.h) in seconds and per cent of the
 * run.
 */
#include "reports/tables/view.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/label.h"
#include "reports/analysis/untimed.h"
#include "reports/tables/table_region.h"
#include "runtime/base/clean.h"
#include "runtime/base/text.h"

enum { INDENT = 3, MAX_INDENT_LEVELS = 12 }; /* deeper levels are not indented, but show their number */

/* Adds " [excl. ~2 %]" to a path whose exclusive time is an estimate because some time below it is one. */
static void put_exclusive_error(const struct ompp_analysis *a, uint32_t node, struct ompp_text *t)
{
	struct ompp_cell exclusive = { .exec_ns = ompp_analysis_exclusive_ns(a, node),
		                       .error_ns = ompp_untimed_exclusive_error_ns(a, node) };

	ompp_text_str(t, " [excl. ");
	ompp_region_error(t, &exclusive);
	ompp_text_char(t, ']');
}

static const char *tree_text(const struct ompp_analysis *a, uint32_t node)
{
	const struct ompp_profile *p = a->profile;
	const char *label = node ? ompp_region_label(a, &p->regions[p->nodes[node].region])
	                         : ompp_clean_copy(p->app, 0, a->arena);
	size_t n = label ? strlen(label) + 128 : 0;
	uint32_t level = a->level[node];
	char *buffer = label ? ompp_arena_alloc(a->arena, n) : NULL;
	struct ompp_text t;

	if (!buffer)
		return NULL;
	ompp_text_init(&t, buffer, n);
	if (!node) {
		ompp_text_str(&t, " [");
		ompp_text_str(&t, label);
		ompp_text_str(&t, ": ");
		ompp_text_u64(&t, p->max_threads);
		ompp_text_str(&t, p->max_threads == 1 ? " thread]" : " threads]");
		return buffer;
	}
	ompp_text_fill(&t, ' ', 1 + INDENT * ((level < MAX_INDENT_LEVELS ? level : MAX_INDENT_LEVELS) - 1));
	if (level > MAX_INDENT_LEVELS) {
		ompp_text_char(&t, '[');
		ompp_text_u64(&t, level);
		ompp_text_char(&t, ']');
	}
	ompp_text_str(&t, a->first_child[node] != OMPP_NONE ? "+-" : "|-");
	ompp_text_str(&t, label);
	ompp_region_mark(&t, a, p->nodes[node].region);
	if (ompp_untimed_below(a, node))
		put_exclusive_error(a, node, &t);
	return buffer;
}

static void callgraph_row(const struct ompp_analysis *a, uint32_t node, int has_errors, struct ompp_table *table)
{
	const struct ompp_profile *p = a->profile;
	int64_t inclusive = a->wall_ns[node], exclusive = ompp_analysis_exclusive_ns(a, node);
	const char *text = tree_text(a, node);

	if (!text)
		table->rc = -ENOMEM;
	ompp_table_time(table, inclusive, ompp_untimed_wall_error_ns(a, node), has_errors);
	ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(inclusive, p->duration_ns));
	ompp_table_time(table, exclusive, ompp_untimed_exclusive_error_ns(a, node), has_errors);
	ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(exclusive, p->duration_ns));
	ompp_table_text(table, node ? ompp_construct_name(p->nodes[node].construct) : "");
	ompp_table_text(table, text);
	ompp_table_number(table, OMPP_KIND_COUNT, a->level[node]);
	if (node) {
		ompp_region_values(table, &p->regions[p->nodes[node].region], p->nodes[node].construct);
		return;
	}
	ompp_table_text(table, "");
	ompp_table_text(table, "");
	ompp_table_text(table, p->app);
	ompp_table_text(table, "");
	ompp_table_text(table, "");
	ompp_table_text(table, "");
}

static int callgraph_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;
	int has_errors = a->has_untimed;

	ompp_table_start(table, OMPP_STYLE_GRID, "", "");
	ompp_table_time_column(table, "Inclusive", has_errors);
	if (has_errors && !table->rc) /* text has marks */
		table->columns[table->n_columns - 1].where = OMPP_IN_RECORDS;
	ompp_table_column(table, "(%)", OMPP_IN_BOTH);
	ompp_table_time_column(table, "Exclusive", has_errors);
	if (has_errors && !table->rc)
		table->columns[table->n_columns - 1].where = OMPP_IN_RECORDS;
	ompp_table_column(table, "(%)", OMPP_IN_BOTH);
	ompp_table_column(table, "", OMPP_IN_TEXT);
	ompp_table_left_column(table, "", OMPP_IN_TEXT);
	ompp_table_column(table, "level", OMPP_IN_RECORDS);
	ompp_region_columns(table);
	for (uint32_t node = 0; node != OMPP_NONE; node = ompp_analysis_next(a, node))
		callgraph_row(a, node, has_errors, table);
	return sheet->put(sheet);
}

const struct ompp_view ompp_view_callgraph = {
	.title = "Callgraph", .tag = "ompp callgraph", .build = callgraph_build, .has_times = 1
};
