/*
 * Flat Region Profile: a block for each region, which is the sum of all its call paths, with a line for each row, and
 * SUM.  Tasks have two blocks, for their creation (TASK) and their execution (TASKEXEC).  The time of a recursive
 * region is counted once, so that no row is longer than the run.
 */
#include "reports/tables/view.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/label.h"
#include "reports/ranks/by_rank.h"
#include "reports/tables/counted.h"
#include "reports/tables/cut.h"
#include "reports/tables/data_columns.h"
#include "reports/tables/layout.h"
#include "reports/tables/numa_table.h"
#include "reports/tables/table_region.h"
#include "runtime/base/text.h"

static void add_node(const struct ompp_profile *p, uint32_t node, struct ompp_line *lines, uint8_t *used)
{
	const struct ompp_node *n = &p->nodes[node];

	for (uint32_t k = 0; k < n->n_cells; k++) {
		const struct ompp_cell *cell = &p->cells[n->first_cell + k];
		struct ompp_line *line = &lines[cell->row], one = { .cell = *cell };

		if (!used[cell->row])
			ompp_line_clear(p, line);
		used[cell->row] = 1;
		if (ompp_analysis_is_inner(p, node, cell->row)) { /* a recursive visit adds neither time nor counts */
			ompp_cell_drop_times(&one.cell);
			ompp_cell_add(&line->cell, &one.cell);
			continue;
		}
		if (p->n_metrics)
			one.values = one.exclusive_values =
				(int64_t *)(uintptr_t)&p->values[(size_t)(n->first_cell + k) * p->n_metrics];
		ompp_line_add(p, line, &one);
	}
}

/* Puts the table of the machine's counters during this block. */
static int numa_block(const struct ompp_analysis *a, struct ompp_sheet *sheet, uint32_t r)
{
	const struct ompp_region *region = &a->profile->regions[r];
	struct ompp_table *table = &sheet->table;

	if (!ompp_numa_region(a, r))
		return 0;
	ompp_table_start(table, OMPP_STYLE_GRID, ompp_region_tag(region, " nodes", a->arena), "");
	ompp_table_record(table);
	ompp_region_record(table, region, region->construct);
	ompp_numa_table(a, region, "", table);
	return sheet->put(sheet);
}

static int flat_block(const struct ompp_analysis *a, struct ompp_sheet *sheet, uint32_t r, int kind,
                      struct ompp_line *lines, uint8_t *used, struct ompp_line *sum)
{
	const struct ompp_profile *p = a->profile;
	const struct ompp_region *region = &p->regions[r];
	enum ompp_construct construct = kind ? OMPP_TASKEXEC : region->construct;
	struct ompp_table *table = &sheet->table;
	const char *label = ompp_region_label(a, region);
	size_t n = label ? strlen(label) + 96 : 0;
	int estimated = a->sums[kind][r].n_untimed ? OMPP_ESTIMATED : 0;
	char *heading = label ? ompp_arena_alloc(a->arena, n) : NULL;
	const struct ompp_block *data = NULL;
	struct ompp_text t;
	int rc = 0;

	if (!heading)
		return -ENOMEM;
	if (a->traffic)
		data = ompp_traffic_region(a->traffic, r, kind, &rc);
	if (rc)
		return rc;
	memset(used, 0, p->n_rows);
	for (uint32_t i = a->same_first[kind][r]; i != OMPP_NONE; i = a->same_next[i])
		add_node(p, i, lines, used);
	ompp_text_init(&t, heading, n);
	ompp_text_str(&t, label);
	ompp_text_char(&t, ' ');
	ompp_text_str(&t, ompp_construct_name(construct));
	ompp_region_mark(&t, a, r);
	ompp_table_start(table, OMPP_STYLE_GRID, ompp_region_tag(region, " flat profile", a->arena), heading);
	ompp_table_record(table);
	ompp_region_record(table, region, construct);
	ompp_layout_columns(a, construct, 0, estimated, data, table);
	ompp_line_clear(p, sum);
	for (uint32_t row = 0; row < p->n_rows; row++) {
		if (!used[row] && !ompp_data_has_row(a, data, row, sheet->prints))
			continue;
		lines[row].label = p->rows[row].label;
		lines[row].row = row;
		lines[row].only_data = !used[row];
		if (!ompp_by_rank_shows(a, row))
			continue;
		ompp_layout_row(a, construct, 0, estimated, data, &lines[row], table);
		if (used[row])
			ompp_line_add(p, sum, &lines[row]);
	}
	sum->label = "SUM";
	sum->row = OMPP_NONE;
	ompp_layout_row(a, construct, 0, estimated, data, sum, table);
	if (ompp_by_rank_is(a, sheet))
		ompp_by_rank_turn(a, table);
	rc = sheet->put(sheet);
	if (!rc)
		rc = ompp_data_objects(a, region, 0, data, sheet);
	return rc || kind ? rc : numa_block(a, sheet, r);
}

/* Chooses the blocks: two for each region, itself and its TASKEXEC. */
static int flat_choose(const struct ompp_analysis *a, const struct ompp_sheet *sheet, struct ompp_cut *cut)
{
	const struct ompp_profile *p = a->profile;
	int rc = ompp_cut_init(cut, a, 2 * a->n_order);

	for (size_t i = 0; i < cut->n && !rc; i++) {
		uint32_t region = a->order[i / 2];
		size_t n_cells = 0;

		for (uint32_t node = a->same_first[i % 2][region]; node != OMPP_NONE; node = a->same_next[node])
			n_cells += p->nodes[node].n_cells;
		if (a->same_first[i % 2][region] != OMPP_NONE) /* and SUM */
			cut->n_rows[i] = 1 + (uint32_t)(n_cells < p->n_rows ? n_cells : p->n_rows);
		if (cut->n_rows[i] > OMPP_BY_RANK_ROWS && ompp_by_rank_is(a, sheet))
			cut->n_rows[i] = OMPP_BY_RANK_ROWS;
		cut->ns[i] = a->sums[i % 2][region].exec_ns;
	}
	return rc ? rc : ompp_cut_choose(cut, a, sheet);
}

static int flat_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_line *lines = ompp_arena_alloc(a->arena, p->n_rows * sizeof(*lines)), sum;
	uint8_t *used = ompp_arena_alloc(a->arena, p->n_rows);
	struct ompp_cut cut;
	int rc = lines && used ? ompp_line_init(p, &sum, a->arena) : -ENOMEM;

	if (!rc)
		rc = flat_choose(a, sheet, &cut);
	for (uint32_t row = 0; row < p->n_rows && !rc; row++)
		rc = ompp_line_init(p, &lines[row], a->arena);
	for (size_t i = 0; i < 2 * a->n_order && !rc; i++)
		if (cut.n_rows[i] && !cut.is_out[i])
			rc = flat_block(a, sheet, a->order[i / 2], i % 2, lines, used, &sum);
	if (!rc)
		rc = ompp_cut_say(&cut, a, "region", sheet);
	if (!rc && ompp_by_rank_is(a, sheet))
		rc = ompp_by_rank_say(a, sheet);
	return rc ? rc : ompp_counted_legend(a, sheet);
}

const struct ompp_view ompp_view_flat = { .title = "Flat Region Profile (inclusive data)",
	                                  .tag = "flat region profiles",
	                                  .build = flat_build,
	                                  .has_times = 1 };
