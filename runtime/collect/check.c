/*
 * Check: see check.h.
 */
#include "runtime/collect/check.h"

#include <string.h>

#include "reports/profile/profile_check.h"
#include "runtime/base/check.h"

/* The reader mends what it checks, so it gets copies. */
static void *check_copy(struct ompp_arena *arena, const void *array, size_t n, size_t n_bytes)
{
	void *out = ompp_arena_alloc(arena, (n + 1) * n_bytes);

	if (out)
		memcpy(out, array, n * n_bytes);
	return out;
}

static int64_t check_known(int64_t ns)
{
	return ns == OMPP_MISSING ? 0 : ns;
}

/* Checks that the parts of a cell's time add up to it, as profile.h says. */
static void check_parts(enum ompp_construct construct, const struct ompp_cell *c)
{
	int64_t waits = check_known(c->exit_bar_ns) + check_known(c->task_ns), mgmt = check_known(c->mgmt_ns);
	int64_t parts = c->exec_ns;

	ompp_check(c->exec_ns >= 0 && c->body_ns >= 0 && c->enter_ns >= 0 && c->exit_ns >= 0 &&
	           check_known(c->exit_bar_ns) >= 0 && c->startup_ns >= 0 && c->shutdown_ns >= 0 && mgmt >= 0 &&
	           check_known(c->task_ns) >= 0 && c->incl_ns >= 0 && c->cost_ns >= 0);
	switch (ompp_constructs[construct].form) {
	case OMPP_FORM_LOOP:
		parts = c->body_ns + waits;
		break;
	case OMPP_FORM_CRITICAL:
	case OMPP_FORM_LOCK:
		parts = c->enter_ns + c->body_ns + c->exit_ns;
		break;
	case OMPP_FORM_TEAM:
	case OMPP_FORM_TEAM_SECTIONS:
	case OMPP_FORM_SINGLE:
	case OMPP_FORM_SECTIONS:
		parts = c->startup_ns + c->body_ns + mgmt + waits + c->shutdown_ns;
		break;
	case OMPP_FORM_TASKS:
	case OMPP_FORM_WAIT:
		ompp_check(waits <= c->exec_ns);
		break;
	default:
		break;
	}
	ompp_check(c->mgmt_ns == OMPP_MISSING ? parts <= c->exec_ns : parts == c->exec_ns);
}

void ompp_collect_check(const struct ompp_profile *p, struct ompp_arena *arena)
{
	struct ompp_node *nodes = check_copy(arena, p->nodes, p->n_nodes, sizeof(*nodes));
	struct ompp_cell *cells = check_copy(arena, p->cells, p->n_cells, sizeof(*cells));
	struct ompp_wait *waits = check_copy(arena, p->waits, p->n_waits, sizeof(*waits));
	struct ompp_allocation *allocations = check_copy(arena, p->allocations, p->n_allocations, sizeof(*allocations));
	struct ompp_profile whole = *p;
	int repaired = 0;

	if (!nodes || !cells || !waits || !allocations)
		return;
	ompp_check(ompp_valid_regions(p->regions, p->n_regions) == p->n_regions);
	ompp_check(ompp_valid_rows(p->rows, p->n_rows) == p->n_rows);
	ompp_check(ompp_valid_metrics(p->metrics, p->n_metrics) == p->n_metrics);
	ompp_check(ompp_valid_cells(p, cells, p->n_cells) == p->n_cells);
	ompp_check(ompp_valid_nodes(&whole, nodes, p->n_nodes, &repaired) == p->n_nodes);
	ompp_check(!repaired);
	for (size_t i = 1; i < p->n_nodes; i++)
		for (size_t k = 0; k < p->nodes[i].n_cells; k++)
			check_parts(p->nodes[i].construct, &p->cells[p->nodes[i].first_cell + k]);
	ompp_check(ompp_valid_accesses(p, p->accesses, p->n_accesses) == p->n_accesses);
	ompp_check(ompp_valid_waits(p, waits, p->n_waits) == p->n_waits);
	ompp_check(ompp_valid_samples(p, p->samples, p->n_samples) == p->n_samples);
	ompp_check(ompp_valid_sample_histogram(p, p->sample_histogram, p->n_sample_histogram) == p->n_sample_histogram);
	ompp_check(ompp_valid_sample_lines(p, p->sample_lines, p->n_sample_lines) == p->n_sample_lines);
	ompp_check(ompp_valid_allocations(p, allocations, p->n_allocations) == p->n_allocations);
	ompp_check(ompp_valid_uses(p, p->uses, p->n_uses) == p->n_uses);
	ompp_check(ompp_valid_placements(p, p->placements, p->n_placements) == p->n_placements);
	ompp_check(ompp_valid_paged(p, p->paged, p->n_paged) == p->n_paged);
	ompp_check(ompp_valid_hot_pages(p, p->hot_pages, p->n_hot_pages) == p->n_hot_pages);
	ompp_check(ompp_valid_page_variables(p, p->page_variables, p->n_page_variables) == p->n_page_variables);
	ompp_check(ompp_valid_bindings(p, p->bindings, p->n_bindings) == p->n_bindings);
	ompp_check(ompp_valid_first_touches(p, p->first_touches, p->n_first_touches) == p->n_first_touches);
}
