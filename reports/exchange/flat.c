/*
 * Flat: see flat.h.
 */
#include "reports/exchange/flat.h"

#include <errno.h>
#include <string.h>

/* Adds a cell to a line. */
static void add_cell(const struct ompp_profile *p, uint32_t node, uint32_t k, struct ompp_flat_line *line)
{
	uint32_t i = p->nodes[node].first_cell + k;
	struct ompp_cell cell = p->cells[i];

	if (ompp_analysis_is_inner(p, node, cell.row)) {
		ompp_cell_drop_times(&cell);
		ompp_cell_add(&line->cell, &cell);
		return;
	}
	ompp_cell_add(&line->cell, &cell);
	for (size_t m = 0; m < p->n_metrics; m++)
		line->values[m] = ompp_add_known(line->values[m], p->values[i * p->n_metrics + m]);
}

/* Adds the lines of a region, or of its tasks. */
static void add_region(const struct ompp_analysis *a, uint32_t region, int kind, size_t *line_of,
                       struct ompp_flat *flat)
{
	const struct ompp_profile *p = a->profile;
	enum ompp_construct construct = kind ? OMPP_TASKEXEC : p->regions[region].construct;

	memset(line_of, 0, p->n_rows * sizeof(*line_of));
	for (uint32_t i = a->same_first[kind][region]; i != OMPP_NONE; i = a->same_next[i])
		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++)
			line_of[p->cells[p->nodes[i].first_cell + k].row] = 1;
	for (uint32_t row = 0; row < p->n_rows; row++)
		if (line_of[row]) {
			line_of[row] = flat->n;
			flat->lines[flat->n].region = region;
			flat->lines[flat->n].cell.row = row;
			flat->lines[flat->n++].construct = construct;
		}
	for (uint32_t i = a->same_first[kind][region]; i != OMPP_NONE; i = a->same_next[i])
		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++)
			add_cell(p, i, k, &flat->lines[line_of[p->cells[p->nodes[i].first_cell + k].row]]);
}

int ompp_flat(const struct ompp_analysis *a, struct ompp_flat *flat)
{
	const struct ompp_profile *p = a->profile;
	size_t *line_of = ompp_arena_alloc(a->arena, (p->n_rows + 1) * sizeof(*line_of));
	int64_t *values = ompp_arena_alloc(a->arena, (p->n_cells * p->n_metrics + 1) * sizeof(*values));

	flat->n = 0;
	flat->lines = ompp_arena_alloc(a->arena, (p->n_cells + 1) * sizeof(*flat->lines)); /* a cell is in one line */
	if (!line_of || !values || !flat->lines)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_cells; i++)
		flat->lines[i].values = values + i * p->n_metrics;
	for (uint32_t r = 0; r < p->n_regions; r++)
		for (int kind = 0; kind < 2; kind++)
			add_region(a, r, kind, line_of, flat);
	return 0;
}
