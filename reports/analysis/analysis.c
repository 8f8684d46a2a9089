/*
 * Analysis: see analysis.h.
 */
#include "reports/analysis/analysis.h"

#include <string.h>

#include "runtime/base/bound.h"

void *ompp_analysis_array(const struct ompp_analysis *a, size_t n, size_t element_bytes, int fill)
{
	void *p = n > SIZE_MAX / 2 / element_bytes ? NULL : ompp_arena_alloc(a->arena, n * element_bytes);

	if (p && fill)
		memset(p, fill, n * element_bytes);
	return p;
}

void ompp_cell_add(struct ompp_cell *sum, const struct ompp_cell *cell)
{
	if (__builtin_add_overflow(sum->n_exec, cell->n_exec, &sum->n_exec))
		sum->n_exec = UINT64_MAX;
	if (__builtin_add_overflow(sum->n_body, cell->n_body, &sum->n_body))
		sum->n_body = UINT64_MAX;
	sum->exec_ns = ompp_add(sum->exec_ns, cell->exec_ns);
	sum->body_ns = ompp_add_known(sum->body_ns, cell->body_ns);
	sum->enter_ns = ompp_add(sum->enter_ns, cell->enter_ns);
	sum->exit_ns = ompp_add(sum->exit_ns, cell->exit_ns);
	sum->exit_bar_ns = ompp_add_known(sum->exit_bar_ns, cell->exit_bar_ns);
	sum->startup_ns = ompp_add(sum->startup_ns, cell->startup_ns);
	sum->shutdown_ns = ompp_add(sum->shutdown_ns, cell->shutdown_ns);
	sum->mgmt_ns = ompp_add_known(sum->mgmt_ns, cell->mgmt_ns);
	sum->task_ns = ompp_add_known(sum->task_ns, cell->task_ns);
	sum->incl_ns = ompp_add(sum->incl_ns, cell->incl_ns);
	sum->cost_ns = ompp_add(sum->cost_ns, cell->cost_ns);
	sum->cost_least_ns = ompp_add_known(sum->cost_least_ns, cell->cost_least_ns);
	sum->cost_most_ns = ompp_add_known(sum->cost_most_ns, cell->cost_most_ns);
	if (__builtin_add_overflow(sum->n_untimed, cell->n_untimed, &sum->n_untimed))
		sum->n_untimed = UINT64_MAX;
	sum->error_ns = ompp_error_add(sum->error_ns, cell->error_ns);
	sum->to_bytes = ompp_add_known(sum->to_bytes, cell->to_bytes);
	sum->from_bytes = ompp_add_known(sum->from_bytes, cell->from_bytes);
	sum->sent_bytes = ompp_add_known(sum->sent_bytes, cell->sent_bytes);
	sum->received_bytes = ompp_add_known(sum->received_bytes, cell->received_bytes);
	sum->enter_error_ns = ompp_error_add(sum->enter_error_ns, cell->enter_error_ns);
	sum->body_error_ns = ompp_error_add(sum->body_error_ns, cell->body_error_ns);
	sum->exit_error_ns = ompp_error_add(sum->exit_error_ns, cell->exit_error_ns);
}

const struct ompp_cell *ompp_analysis_cell(const struct ompp_profile *profile, uint32_t node, uint32_t row)
{
	const struct ompp_cell *cells = profile->cells + profile->nodes[node].first_cell;
	uint32_t n = profile->nodes[node].n_cells;
	size_t i = OMPP_BOUND(cells, n, row, row);

	return i < n && cells[i].row == row ? &cells[i] : NULL;
}

const struct ompp_cell *ompp_analysis_child_cell(const struct ompp_profile *profile, uint32_t child, uint32_t row)
{
	const struct ompp_node *node = &profile->nodes[child];

	if (ompp_construct_is_parallel(node->construct))
		for (uint32_t i = 0; i < node->n_cells; i++) {
			const struct ompp_cell *cell = &profile->cells[node->first_cell + i];
			const struct ompp_row *r = &profile->rows[cell->row];

			if (r->parent == row && !r->rank)
				return cell;
		}
	return ompp_analysis_cell(profile, child, row);
}

uint32_t ompp_analysis_next(const struct ompp_analysis *a, uint32_t node)
{
	if (a->first_child[node] != OMPP_NONE)
		return a->first_child[node];
	while (node && a->next_sibling[node] == OMPP_NONE)
		node = a->profile->nodes[node].parent;
	return node ? a->next_sibling[node] : OMPP_NONE;
}

int64_t ompp_analysis_wall(const struct ompp_analysis *a, uint32_t cell, int64_t ns)
{
	return a->divisor[cell] ? ns / (int64_t)a->divisor[cell] : ns;
}

int64_t ompp_analysis_exclusive_ns(const struct ompp_analysis *a, uint32_t node)
{
	__int128 left = a->wall_ns[node] - (node ? 0 : a->profile->off_ns);

	for (uint32_t c = a->first_child[node]; c != OMPP_NONE; c = a->next_sibling[c])
		left -= a->wall_ns[c];
	/* rounding, and host threads that run at the same time, can make it negative */
	return left > 0 ? (int64_t)left : 0;
}

int ompp_analysis_is_inner(const struct ompp_profile *p, uint32_t node, uint32_t row)
{
	const struct ompp_node *n = &p->nodes[node];

	for (uint32_t up = n->parent; up; up = p->nodes[up].parent)
		if (p->nodes[up].region == n->region && p->nodes[up].construct == n->construct &&
		    ompp_analysis_cell(p, up, row))
			return 1;
	return 0;
}

void ompp_cell_drop_times(struct ompp_cell *cell)
{
	cell->exec_ns = cell->body_ns = 0;
	cell->n_untimed = 0;
	cell->error_ns = cell->enter_error_ns = cell->body_error_ns = cell->exit_error_ns = 0;
	cell->task_ns = cell->task_ns == OMPP_MISSING ? OMPP_MISSING : 0;
}

struct ompp_cell ompp_analysis_sum(const struct ompp_analysis *a, uint32_t region, int kind)
{
	return a->sums[kind][region];
}
