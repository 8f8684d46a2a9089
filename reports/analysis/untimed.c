/*
 * Untimed: see untimed.h.
 */
#include "reports/analysis/untimed.h"

int ompp_untimed_at(const struct ompp_profile *p, uint32_t node)
{
	const struct ompp_node *n = &p->nodes[node];

	for (uint32_t c = n->first_cell; c < n->first_cell + n->n_cells; c++)
		if (p->cells[c].n_untimed)
			return 1;
	return 0;
}

int ompp_untimed_any(const struct ompp_profile *p)
{
	for (size_t c = 0; c < p->n_cells; c++)
		if (p->cells[c].n_untimed)
			return 1;
	return 0;
}

int ompp_untimed_below(const struct ompp_analysis *a, uint32_t node)
{
	for (uint32_t c = a->first_child[node]; c != OMPP_NONE; c = a->next_sibling[c])
		if (ompp_untimed_at(a->profile, c))
			return 1;
	return 0;
}

int64_t ompp_untimed_incl_error_ns(enum ompp_construct construct, const struct ompp_cell *cell)
{
	return ompp_construct_is_lock(construct) ? ompp_error_add(cell->enter_error_ns, cell->exit_error_ns)
	                                         : cell->error_ns;
}

int64_t ompp_untimed_wall_error_ns(const struct ompp_analysis *a, uint32_t node)
{
	const struct ompp_node *n = &a->profile->nodes[node];
	int64_t error_ns = 0;

	for (uint32_t c = n->first_cell; c < n->first_cell + n->n_cells; c++) {
		int64_t cell_ns = ompp_untimed_incl_error_ns(n->construct, &a->profile->cells[c]);

		if (cell_ns)
			error_ns = ompp_error_add(error_ns, cell_ns == OMPP_MISSING
			                                            ? cell_ns
			                                            : ompp_analysis_wall(a, c, cell_ns));
	}
	return error_ns;
}

int64_t ompp_untimed_exclusive_error_ns(const struct ompp_analysis *a, uint32_t node)
{
	int64_t error_ns = ompp_untimed_wall_error_ns(a, node);

	for (uint32_t c = a->first_child[node]; c != OMPP_NONE; c = a->next_sibling[c])
		error_ns = ompp_error_add(error_ns, ompp_untimed_wall_error_ns(a, c));
	return error_ns;
}

int64_t ompp_untimed_least_ns(int64_t ns, int64_t error_ns)
{
	int64_t least_ns;

	if (!error_ns || ns == OMPP_MISSING)
		return ns;
	least_ns = error_ns == OMPP_MISSING || error_ns > INT64_MAX / 2 ? 0 : ompp_subtract(ns, 2 * error_ns);
	return least_ns > 0 ? least_ns : 0;
}
