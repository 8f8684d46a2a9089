/*
 * Stacks: see stacks.h.
 */
#include "reports/exchange/stacks.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/label.h"
#include "reports/analysis/untimed.h"
#include "runtime/base/clean.h"
#include "runtime/base/text.h"

const char *ompp_stack_part_name(enum ompp_stack_part part)
{
	static const char *const names[] = { "", "[waiting]", "[management]" };

	return names[part];
}

/* Returns "LOOP a.c (12-16)", with " ~" where its times are estimates; NULL without memory. */
static const char *name_of(const struct ompp_analysis *a, uint32_t node)
{
	const struct ompp_node *n = &a->profile->nodes[node];
	const char *title = ompp_region_title(a, &a->profile->regions[n->region], n->construct), *mark = " ~";
	size_t n_bytes = title ? strlen(title) : 0;
	char *name;

	if (!title || !a->sums[n->construct == OMPP_TASKEXEC][n->region].n_untimed)
		return title;
	name = ompp_arena_alloc(a->arena, n_bytes + strlen(mark) + 1);
	if (name) {
		memcpy(name, title, n_bytes);
		memcpy(name + n_bytes, mark, strlen(mark) + 1);
	}
	return name;
}

static int64_t stacks_known(int64_t ns)
{
	return ns == OMPP_MISSING || ns < 0 ? 0 : ns;
}

/* Divides the exclusive time of a cell into parts. */
static void stacks_divide(const struct ompp_analysis *a, uint32_t node, const struct ompp_cell *cell,
                          int64_t parts[OMPP_N_STACK_PARTS])
{
	const struct ompp_profile *p = a->profile;
	int64_t own_ns = cell->incl_ns;

	for (uint32_t c = a->first_child[node]; c != OMPP_NONE; c = a->next_sibling[c]) {
		const struct ompp_cell *below = ompp_analysis_child_cell(p, c, cell->row);

		own_ns = ompp_add(own_ns, below ? -below->incl_ns : 0);
	}
	own_ns = stacks_known(own_ns);
	parts[OMPP_STACK_WAITING] = ompp_add(stacks_known(cell->enter_ns), stacks_known(cell->exit_bar_ns));
	parts[OMPP_STACK_MANAGEMENT] = ompp_add(ompp_add(stacks_known(cell->startup_ns),
	                                                 stacks_known(cell->shutdown_ns)),
	                                        ompp_add(stacks_known(cell->exit_ns), stacks_known(cell->mgmt_ns)));
	/* rounding must not make the parts exceed the whole */
	for (int i = OMPP_STACK_WAITING; i < OMPP_N_STACK_PARTS; i++) {
		parts[i] = parts[i] < own_ns ? parts[i] : own_ns;
		own_ns -= parts[i];
	}
	parts[OMPP_STACK_WORK] = own_ns;
}

int ompp_stacks(const struct ompp_analysis *a, struct ompp_stacks *s)
{
	const struct ompp_profile *p = a->profile;

	s->names = ompp_arena_alloc(a->arena, (p->n_nodes + 1) * sizeof(*s->names));
	s->parts = ompp_arena_alloc(a->arena, (p->n_cells + 1) * sizeof(*s->parts));
	s->serial_ns = p->n_nodes ? ompp_analysis_exclusive_ns(a, 0) : 0;
	if (!s->names || !s->parts)
		return -ENOMEM;
	for (uint32_t i = 0; i < p->n_nodes; i++) {
		s->names[i] = i ? name_of(a, i) : ompp_clean_copy(p->app, 0, a->arena);
		if (!s->names[i])
			return -ENOMEM;
		for (uint32_t k = p->nodes[i].first_cell; i && k < p->nodes[i].first_cell + p->nodes[i].n_cells; k++)
			stacks_divide(a, i, &p->cells[k], s->parts[k]);
	}
	return 0;
}

int64_t ompp_stack_error_ns(const struct ompp_analysis *a, uint32_t node)
{
	const struct ompp_node *n = &a->profile->nodes[node];
	int64_t error_ns = 0;

	for (uint32_t k = 0; k < n->n_cells; k++)
		error_ns = ompp_error_add(error_ns, ompp_untimed_incl_error_ns(n->construct,
		                                                               &a->profile->cells[n->first_cell + k]));
	return error_ns;
}

/* The function with most samples also gets what is left by rounding. */
int ompp_stack_works(const struct ompp_analysis *a, uint32_t node, uint32_t row, int64_t ns,
                     struct ompp_stack_works *works)
{
	struct ompp_hot_functions all;
	int64_t left_ns = ns;

	if (ompp_hot_functions_at(a, node, row, &all))
		return -ENOMEM;
	*works = (struct ompp_stack_works){ ompp_arena_alloc(a->arena, (all.n + 1) * sizeof(*works->list)), 0 };
	if (!works->list)
		return -ENOMEM;
	for (size_t i = all.n; i-- > 0;) {
		int64_t part_ns = (int64_t)((unsigned __int128)ns * all.list[i].n / all.n_samples);

		part_ns = i ? part_ns : left_ns;
		left_ns -= part_ns;
		if (part_ns)
			works->list[works->n++] = (struct ompp_stack_work){ all.list[i].spot, part_ns };
	}
	if (!all.n)
		works->list[works->n++] = (struct ompp_stack_work){ NULL, ns };
	return 0;
}
