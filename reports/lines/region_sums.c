/*
 * Region sums: see region_sums.h.
 */
#include "reports/lines/region_sums.h"

#include <errno.h>
#include <string.h>

void ompp_region_sums_rows(struct ompp_region_sums *s, const struct ompp_region_sum *sum)
{
	const struct ompp_analysis *a = s->analysis;
	const struct ompp_profile *p = a->profile;

	memset(s->used, 0, p->n_rows);
	for (uint32_t i = a->same_first[sum->kind][sum->region]; i != OMPP_NONE; i = a->same_next[i])
		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++) {
			uint32_t c = p->nodes[i].first_cell + k, row = p->cells[c].row;
			int64_t *values = s->values + row * p->n_metrics;
			struct ompp_cell cell = p->cells[c];

			if (!s->used[row]) {
				memset(&s->cells[row], 0, sizeof(cell));
				memset(values, 0, p->n_metrics * sizeof(*values));
			}
			s->used[row] = 1;
			if (ompp_analysis_is_inner(p, i, row)) {
				ompp_cell_drop_times(&cell);
				ompp_cell_add(&s->cells[row], &cell);
				continue;
			}
			ompp_cell_add(&s->cells[row], &cell);
			for (size_t m = 0; m < p->n_metrics; m++)
				values[m] = ompp_add_known(values[m], p->values[(size_t)c * p->n_metrics + m]);
		}
}

static void sum_up(struct ompp_region_sums *s, struct ompp_region_sum *sum)
{
	const struct ompp_analysis *a = s->analysis;
	size_t n_metrics = a->profile->n_metrics;
	int64_t *metrics = s->metrics + (size_t)(sum - s->list) * n_metrics;

	ompp_region_sums_rows(s, sum);
	for (uint32_t i = a->same_first[sum->kind][sum->region]; i != OMPP_NONE; i = a->same_next[i])
		sum->n_paths++;
	for (size_t row = 0; row < a->profile->n_rows; row++) {
		const struct ompp_cell *cell = &s->cells[row];

		if (!s->used[row])
			continue;
		sum->n_rows++;
		for (size_t m = 0; m < n_metrics; m++)
			metrics[m] = ompp_add_known(metrics[m], s->values[row * n_metrics + m]);
		ompp_cell_add(&sum->cell, cell);
		sum->most_body_ns = cell->body_ns > sum->most_body_ns ? cell->body_ns : sum->most_body_ns;
		sum->most_exec_ns = cell->exec_ns > sum->most_exec_ns ? cell->exec_ns : sum->most_exec_ns;
	}
	if (sum->cell.body_ns == OMPP_MISSING)
		sum->most_body_ns = OMPP_MISSING;
}

int ompp_region_sums_init(struct ompp_region_sums *s, const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;

	memset(s, 0, sizeof(*s));
	s->analysis = a;
	s->list = ompp_arena_alloc(a->arena, 2 * a->n_order * sizeof(*s->list));
	s->metrics = ompp_arena_alloc(a->arena, 2 * a->n_order * p->n_metrics * sizeof(*s->metrics));
	s->cells = ompp_arena_alloc(a->arena, p->n_rows * sizeof(*s->cells));
	s->values = ompp_arena_alloc(a->arena, p->n_rows * p->n_metrics * sizeof(*s->values));
	s->used = ompp_arena_alloc(a->arena, p->n_rows);
	if (!s->list || !s->metrics || !s->cells || !s->values || !s->used)
		return -ENOMEM;
	for (size_t i = 0; i < a->n_order; i++)
		for (int kind = 0; kind < 2; kind++) {
			struct ompp_region_sum *sum = &s->list[s->n];

			if (a->same_first[kind][a->order[i]] == OMPP_NONE)
				continue;
			sum->region = a->order[i];
			sum->kind = kind;
			sum_up(s, sum);
			s->n++;
		}
	return 0;
}
