/*
 * Path counts: see path_counts.h.
 */
#include "reports/exchange/path_counts.h"

int ompp_path_counts_cover(const struct ompp_profile *p, uint32_t node)
{
	return node && ompp_constructs[p->nodes[node].construct].counts != OMPP_COUNTS_NOTHING;
}

int ompp_path_counts_known(const struct ompp_profile *p, size_t m)
{
	int is_counted = 0;

	for (uint32_t i = 1; i < p->n_nodes; i++)
		for (uint32_t k = 0; k < p->nodes[i].n_cells && ompp_path_counts_cover(p, i); k++) {
			if (p->values[(p->nodes[i].first_cell + k) * p->n_metrics + m] == OMPP_MISSING)
				return 0;
			is_counted = 1;
		}
	return is_counted && p->metrics[m].certainty != OMPP_NOT_COUNTED;
}

const char *ompp_path_counts_why(const struct ompp_profile *p, size_t m)
{
	return p->metrics[m].certainty == OMPP_NOT_COUNTED ? "it was not counted" : "some of its values are missing";
}

/* Returns the cell of the nearest covered path above one whose counts include its own; NULL where there is none.  Those
 * of tasks are at their own paths only, and those of a team in its first thread's around it. */
static const struct ompp_cell *path_counts_above(const struct ompp_profile *p, uint32_t node, uint32_t row)
{
	if (p->nodes[node].construct == OMPP_TASKEXEC)
		return NULL;
	for (; p->nodes[node].parent; node = p->nodes[node].parent) {
		uint32_t above = p->nodes[node].parent;

		if (ompp_construct_is_parallel(p->nodes[node].construct)) {
			const struct ompp_row *r = &p->rows[row];

			if (r->rank)
				return NULL;
			if (r->parent != OMPP_NONE && ompp_analysis_cell(p, above, r->parent))
				row = r->parent;
		}
		if (ompp_path_counts_cover(p, above))
			return ompp_analysis_cell(p, above, row);
	}
	return NULL;
}

int64_t *ompp_path_counts_own(const struct ompp_analysis *a, size_t m)
{
	const struct ompp_profile *p = a->profile;
	int64_t *own = ompp_arena_alloc(a->arena, (p->n_cells + 1) * sizeof(*own));

	for (uint32_t i = 1; own && i < p->n_nodes; i++)
		for (uint32_t k = 0; ompp_path_counts_cover(p, i) && k < p->nodes[i].n_cells; k++) {
			size_t cell = p->nodes[i].first_cell + k;
			int64_t value = p->values[cell * p->n_metrics + m];
			const struct ompp_cell *above = path_counts_above(p, i, p->cells[cell].row);

			own[cell] = ompp_add(own[cell], value);
			if (above)
				own[above - p->cells] = ompp_subtract(own[above - p->cells], value);
		}
	for (size_t i = 0; own && i < p->n_cells; i++)
		own[i] = own[i] < 0 ? 0 : own[i];
	return own;
}
