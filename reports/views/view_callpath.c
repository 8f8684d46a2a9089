/*
 * Callgraph Region Profiles: the tables of the flat profile for each call path, with inclusive (/I) and exclusive (/E)
 * numbers of the body.  The exclusive number is that of the body less what the same row spent in the regions called
 * from it.
 */
#include "reports/tables/view.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/label.h"
#include "reports/analysis/untimed.h"
#include "reports/ranks/by_rank.h"
#include "reports/tables/counted.h"
#include "reports/tables/cut.h"
#include "reports/tables/data_columns.h"
#include "reports/tables/layout.h"
#include "reports/tables/numa_table.h"
#include "reports/tables/table_region.h"
#include "runtime/base/clean.h"
#include "runtime/base/text.h"

enum { MAX_PATH_LINES = 40 }; /* of a deeper path the outermost and the innermost lines are shown */

/* Puts a line of the path: "[+01] R00002 findmumcand.cpp (181-262) PARALLEL". */
static int put_step(const struct ompp_analysis *a, struct ompp_table *table, uint32_t node, uint32_t leaf,
                    struct ompp_text *t)
{
	const struct ompp_profile *p = a->profile;
	const struct ompp_region *region = node ? &p->regions[p->nodes[node].region] : NULL;
	const char *label = region ? ompp_region_label(a, region) : ompp_clean_copy(p->app, 0, a->arena);
	char mark[24];
	struct ompp_text m;

	ompp_text_init(&m, mark, sizeof(mark));
	ompp_text_char(&m, '[');
	ompp_text_char(&m, !node ? '*' : node == leaf ? '=' : '+');
	ompp_text_zeros(&m, a->level[node], 2);
	ompp_text_char(&m, ']');
	ompp_table_record(table);
	ompp_record_text(table, ompp_arena_strdup(a->arena, mark));
	if (!label)
		return -ENOMEM;
	ompp_text_str(t, mark);
	ompp_text_char(t, ' ');
	ompp_text_str(t, label);
	if (region) {
		ompp_text_char(t, ' ');
		ompp_text_str(t, ompp_construct_name(p->nodes[node].construct));
		ompp_region_record(table, region, p->nodes[node].construct);
	} else {
		ompp_record_text(table, p->app);
	}
	if (node != leaf)
		ompp_text_char(t, '\n');
	return 0;
}

static int put_path(const struct ompp_analysis *a, struct ompp_table *table, uint32_t node)
{
	const struct ompp_profile *p = a->profile;
	uint32_t path[MAX_PATH_LINES], level = a->level[node], at = node, n = 0;
	uint32_t n_path = level + 1 < MAX_PATH_LINES ? level + 1 : MAX_PATH_LINES;
	size_t n_bytes = 80;
	struct ompp_text t;
	char *heading;
	int rc = 0;

	for (uint32_t i = level + 1; i-- > 0; at = p->nodes[at].parent) { /* from the leaf to the root */
		if (i < n_path / 2)
			path[i] = at;
		else if (level - i < n_path - n_path / 2)
			path[n_path - 1 - (level - i)] = at;
		if (!i)
			break;
	}
	for (n = 0; n < n_path; n++) {
		const struct ompp_node *step = &p->nodes[path[n]];

		n_bytes += 128 +
		           OMPP_CLEAN_MOST *
		                   (!path[n] ? strlen(p->app)
		                             : strlen(p->regions[step->region].file) +
		                                       strlen(p->regions[step->region].name) +
		                                       strlen(ompp_region_instantiation(&p->regions[step->region])));
	}
	heading = ompp_arena_alloc(a->arena, n_bytes);
	if (!heading)
		return -ENOMEM;
	ompp_text_init(&t, heading, n_bytes);
	for (n = 0; n < n_path && !rc; n++) {
		if (n && a->level[path[n]] != a->level[path[n - 1]] + 1) {
			ompp_text_str(&t, "[...] ");
			ompp_text_u64(&t, a->level[path[n]] - a->level[path[n - 1]] - 1);
			ompp_text_str(&t, " levels\n");
		}
		rc = put_step(a, table, path[n], node, &t);
	}
	table->heading = heading;
	return rc;
}

/* Returns a number less a part; OMPP_MISSING when one of them is missing. */
static int64_t callpath_less(int64_t left, int64_t part)
{
	if (left == OMPP_MISSING || part == OMPP_MISSING)
		return OMPP_MISSING;
	return ompp_add(left, part > INT64_MIN + 1 ? -part : INT64_MAX);
}

/* Subtracts the counters of a child.  Counts of tasks are at the tasks' own call paths and in no construct around
 * them. */
static void take_counters(const struct ompp_profile *p, uint32_t child, const struct ompp_cell *below,
                          struct ompp_line *line)
{
	enum ompp_construct construct = p->nodes[child].construct;
	size_t at = (size_t)(below - p->cells) * p->n_metrics;

	if (construct == OMPP_TASKEXEC || !ompp_layout_has_counters(construct))
		return;
	for (size_t m = 0; m < p->n_metrics; m++)
		line->exclusive_values[m] = callpath_less(line->exclusive_values[m], p->values[at + m]);
}

/* Returns the time of the body less the tasks that the thread ran during it, as these have their own call paths.  Tasks
 * of a PARALLEL are its children, and so are those of its barrier. */
static int64_t without_tasks(enum ompp_construct construct, const struct ompp_cell *cell)
{
	const int64_t *body = ompp_layout_body_ns(construct, cell);
	int64_t at_barrier = cell->task_ns == OMPP_MISSING ? 0 : cell->task_ns;

	if (!body || ompp_construct_is_lock(construct))
		return body ? *body : 0;
	if (ompp_construct_is_parallel(construct))
		return ompp_add(*body, at_barrier);
	if (body == &cell->exec_ns)
		return cell->incl_ns;
	if (*body == OMPP_MISSING)
		return OMPP_MISSING;
	return ompp_add(*body, callpath_less(at_barrier, callpath_less(cell->exec_ns, cell->incl_ns)));
}

static void callpath_fill(const struct ompp_analysis *a, uint32_t node, uint32_t c, struct ompp_line *line)
{
	const struct ompp_profile *p = a->profile;
	const struct ompp_cell *cell = &p->cells[c];

	line->cell = *cell;
	line->exclusive_ns = without_tasks(p->nodes[node].construct, cell);
	line->exclusive_error_ns = ompp_layout_body_ns(p->nodes[node].construct, cell) == &cell->body_ns
	                                 ? cell->body_error_ns
	                                 : cell->error_ns;
	for (size_t m = 0; m < p->n_metrics; m++)
		line->values[m] = line->exclusive_values[m] = p->values[(size_t)c * p->n_metrics + m];
	for (uint32_t child = a->first_child[node]; child != OMPP_NONE; child = a->next_sibling[child]) {
		const struct ompp_cell *below = ompp_analysis_child_cell(p, child, cell->row);

		if (!below)
			continue;
		line->exclusive_ns = callpath_less(line->exclusive_ns, below->incl_ns);
		line->exclusive_error_ns = ompp_error_add(line->exclusive_error_ns,
		                                          ompp_untimed_incl_error_ns(p->nodes[child].construct, below));
		take_counters(p, child, below, line);
	}
	/* due to rounding of the own cost that was subtracted */
	if (line->exclusive_ns < 0 && line->exclusive_ns != OMPP_MISSING)
		line->exclusive_ns = 0;
	for (size_t m = 0; m < p->n_metrics; m++) /* and of scaled counters */
		if (line->exclusive_values[m] < 0 && line->exclusive_values[m] != OMPP_MISSING && line->values[m] >= 0)
			line->exclusive_values[m] = 0;
}

/* Returns which times of this call path are estimates. */
static int callpath_estimated(const struct ompp_analysis *a, uint32_t node)
{
	return (ompp_untimed_at(a->profile, node) ? OMPP_ESTIMATED : 0) |
	       (ompp_untimed_below(a, node) ? OMPP_ESTIMATED_BELOW : 0);
}

static void put_rows(const struct ompp_analysis *a, uint32_t node, const struct ompp_block *data,
                     struct ompp_line *line, struct ompp_line *sum, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	const struct ompp_node *n = &p->nodes[node];
	uint32_t c = n->first_cell, end = n->first_cell + n->n_cells;

	ompp_line_clear(p, sum);
	for (uint32_t row = 0; row < p->n_rows && (data || c < end); row++) {
		if (!data)
			row = p->cells[c].row;
		line->only_data = c == end || p->cells[c].row != row;
		if (line->only_data && !ompp_data_has_row(a, data, row, sheet->prints))
			continue;
		if (!ompp_by_rank_shows(a, row)) {
			c += !line->only_data;
			continue;
		}
		line->row = row;
		line->label = p->rows[row].label;
		if (!line->only_data) {
			callpath_fill(a, node, c++, line);
			ompp_line_add(p, sum, line);
		}
		ompp_layout_row(a, n->construct, 1, callpath_estimated(a, node), data, line, &sheet->table);
	}
	sum->label = "SUM";
	sum->row = OMPP_NONE;
	ompp_layout_row(a, n->construct, 1, callpath_estimated(a, node), data, sum, &sheet->table);
}

/* Puts the table of the machine's counters during this block. */
static int numa_block(const struct ompp_analysis *a, struct ompp_sheet *sheet, uint32_t node)
{
	const struct ompp_region *region = &a->profile->regions[a->profile->nodes[node].region];
	struct ompp_table *table = &sheet->table;
	int rc;

	if (!ompp_numa_node(a, node))
		return 0;
	ompp_table_start(table, OMPP_STYLE_GRID, ompp_region_tag(region, " callgraph nodes", a->arena), "");
	rc = put_path(a, table, node);
	ompp_numa_table(a, region, " on this call path", table);
	return rc ? rc : sheet->put(sheet);
}

static int callpath_block(const struct ompp_analysis *a, struct ompp_sheet *sheet, uint32_t node,
                          struct ompp_line *line, struct ompp_line *sum)
{
	const struct ompp_node *n = &a->profile->nodes[node];
	const struct ompp_region *region = &a->profile->regions[n->region];
	const struct ompp_block *data = NULL;
	struct ompp_table *table = &sheet->table;
	int rc = 0;

	if (a->traffic)
		data = ompp_traffic_node(a->traffic, node, &rc);
	if (rc)
		return rc;
	ompp_table_start(table, OMPP_STYLE_GRID, ompp_region_tag(region, " callgraph profile", a->arena), "");
	rc = put_path(a, table, node);
	ompp_layout_columns(a, n->construct, 1, callpath_estimated(a, node), data, table);
	put_rows(a, node, data, line, sum, sheet);
	if (ompp_by_rank_is(a, sheet))
		ompp_by_rank_turn(a, table);
	if (!rc)
		rc = sheet->put(sheet);
	if (!rc)
		rc = ompp_data_objects(a, region, 1, data, sheet);
	return rc ? rc : numa_block(a, sheet, node);
}

/* Chooses the call paths by their inclusive time. */
static int callpath_choose(const struct ompp_analysis *a, const struct ompp_sheet *sheet, struct ompp_cut *cut)
{
	const struct ompp_profile *p = a->profile;
	int rc = ompp_cut_init(cut, a, p->n_nodes);

	for (uint32_t i = 1; i < p->n_nodes && !rc; i++) {
		const struct ompp_node *node = &p->nodes[i];

		if (!a->shown[node->region] || !node->n_cells)
			continue;
		cut->n_rows[i] = node->n_cells + 1; /* and SUM */
		if (cut->n_rows[i] > OMPP_BY_RANK_ROWS && ompp_by_rank_is(a, sheet))
			cut->n_rows[i] = OMPP_BY_RANK_ROWS;
		for (uint32_t c = node->first_cell; c < node->first_cell + node->n_cells; c++)
			cut->ns[i] = ompp_add(cut->ns[i], p->cells[c].incl_ns);
	}
	return rc ? rc : ompp_cut_choose(cut, a, sheet);
}

static int callpath_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_line line, sum;
	struct ompp_cut cut;
	int rc = ompp_line_init(p, &line, a->arena);

	if (!rc)
		rc = ompp_line_init(p, &sum, a->arena);
	if (!rc)
		rc = callpath_choose(a, sheet, &cut);
	for (uint32_t node = p->n_nodes ? ompp_analysis_next(a, 0) : OMPP_NONE; node != OMPP_NONE && !rc;
	     node = ompp_analysis_next(a, node))
		if (cut.n_rows[node] && !cut.is_out[node])
			rc = callpath_block(a, sheet, node, &line, &sum);
	if (!rc)
		rc = ompp_cut_say(&cut, a, "call path", sheet);
	if (!rc && ompp_by_rank_is(a, sheet))
		rc = ompp_by_rank_say(a, sheet);
	return rc ? rc : ompp_counted_legend(a, sheet);
}

const struct ompp_view ompp_view_callpath = { .title = "Callgraph Region Profiles (incl./excl. data)",
	                                      .tag = "callgraph region profiles",
	                                      .build = callpath_build,
	                                      .has_times = 1 };
