/*
 * Links: see links.h.
 */
#include "reports/analysis/links.h"

#include <errno.h>

/* Adds up the cells of each region, in the order in which they lie in memory. */
static int add_up(struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;

	a->sums[0] = ompp_analysis_array(a, p->n_regions, sizeof(*a->sums[0]), 0);
	a->sums[1] = ompp_analysis_array(a, p->n_regions, sizeof(*a->sums[1]), 0);
	if (!a->sums[0] || !a->sums[1])
		return -ENOMEM;
	for (uint32_t i = 1; i < p->n_nodes; i++) {
		const struct ompp_node *node = &p->nodes[i];
		struct ompp_cell *sum = &a->sums[node->construct == OMPP_TASKEXEC][node->region];

		for (uint32_t k = 0; k < node->n_cells; k++)
			ompp_cell_add(sum, &p->cells[node->first_cell + k]);
	}
	return 0;
}

int ompp_analysis_link(struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	uint32_t *last[2];
	size_t n = p->n_nodes;

	a->first_child = ompp_analysis_array(a, n, sizeof(uint32_t), 0xff);
	a->next_sibling = ompp_analysis_array(a, n, sizeof(uint32_t), 0xff);
	a->same_next = ompp_analysis_array(a, n, sizeof(uint32_t), 0xff);
	a->team = ompp_analysis_array(a, n, sizeof(uint32_t), 0xff);
	a->level = ompp_analysis_array(a, n, sizeof(uint32_t), 0);
	a->same_first[0] = ompp_analysis_array(a, p->n_regions, sizeof(uint32_t), 0xff);
	a->same_first[1] = ompp_analysis_array(a, p->n_regions, sizeof(uint32_t), 0xff);
	last[0] = ompp_analysis_array(a, p->n_regions, sizeof(uint32_t), 0xff);
	last[1] = ompp_analysis_array(a, p->n_regions, sizeof(uint32_t), 0xff);
	if (!a->first_child || !a->next_sibling || !a->same_next || !a->team || !a->level || !a->same_first[0] ||
	    !a->same_first[1] || !last[0] || !last[1])
		return -ENOMEM;
	for (uint32_t i = 1; i < n; i++) {
		const struct ompp_node *node = &p->nodes[i];
		int kind = node->construct == OMPP_TASKEXEC;
		uint32_t *same = last[kind][node->region] == OMPP_NONE ? &a->same_first[kind][node->region]
		                                                       : &a->same_next[last[kind][node->region]];

		*same = last[kind][node->region] = i;
		a->level[i] = a->level[node->parent] + 1;
		a->team[i] = ompp_construct_is_parallel(node->construct) ? i : a->team[node->parent];
	}
	for (uint32_t i = (uint32_t)n; i-- > 1;) { /* backwards, so that the first child comes first */
		a->next_sibling[i] = a->first_child[p->nodes[i].parent];
		a->first_child[p->nodes[i].parent] = i;
	}
	return add_up(a);
}
