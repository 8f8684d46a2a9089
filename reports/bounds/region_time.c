/*
 * Region time: see region_time.h.
 */
#include "reports/bounds/region_time.h"

#include <string.h>

#include "reports/analysis/classes.h"
#include "runtime/base/array.h"

int ompp_region_is_outer(const struct ompp_analysis *a, uint32_t node)
{
	const struct ompp_node *nodes = a->profile->nodes;

	for (uint32_t i = nodes[node].parent; i != OMPP_NONE; i = nodes[i].parent)
		if (nodes[i].region == nodes[node].region && nodes[i].construct == nodes[node].construct)
			return 0;
	return 1;
}

uint32_t ompp_region_next(const struct ompp_analysis *a, uint32_t top, uint32_t node)
{
	uint32_t next = ompp_analysis_next(a, node);

	return next != OMPP_NONE && a->level[next] > a->level[top] ? next : OMPP_NONE;
}

/* Adds a node's overheads and executions. */
static void time_add(const struct ompp_analysis *a, uint32_t node, int is_top, struct ompp_region_time *time,
                     int64_t *overhead_ns)
{
	const struct ompp_node *n = &a->profile->nodes[node];
	int64_t charged[OMPP_N_OVERHEADS] = { 0 };
	struct ompp_cell sum;

	memset(&sum, 0, sizeof(sum));
	for (uint32_t k = 0; k < n->n_cells; k++)
		ompp_cell_add(&sum, &a->profile->cells[n->first_cell + k]);
	ompp_overhead_charge(n->construct, &sum, charged);
	for (int i = 0; i < OMPP_N_OVERHEADS; i++)
		*overhead_ns = ompp_add(*overhead_ns, charged[i] > 0 ? charged[i] : 0);
	time->n_exec += is_top ? sum.n_exec : 0;
	time->n_threads = n->n_cells > time->n_threads ? n->n_cells : time->n_threads;
}

/* Returns the wall-clock time of a node's bodies. */
static int64_t time_of_bodies(const struct ompp_analysis *a, uint32_t node)
{
	const struct ompp_node *n = &a->profile->nodes[node];
	int64_t ns = 0;

	for (uint32_t k = n->first_cell; k < n->first_cell + n->n_cells; k++)
		if (a->profile->cells[k].body_ns != OMPP_MISSING)
			ns = ompp_add(ns, ompp_analysis_wall(a, k, a->profile->cells[k].body_ns));
	return ns;
}

int64_t ompp_region_delayed(const struct ompp_profile *p)
{
	/* queued_ns of merged profiles is the sum over the processes */
	int64_t first_ns = ompp_times(p->duration_ns, p->n_merged ? p->n_merged : 1);
	int64_t lost[] = { ompp_share(p->queued_ns, first_ns), ompp_share(p->stolen_most_ns, p->duration_ns),
		           ompp_share(p->queued_all_ns, ompp_times(p->duration_ns, p->max_threads)) };
	int64_t most = 0;

	for (size_t i = 0; i < OMPP_COUNT_OF(lost); i++)
		if (lost[i] != OMPP_MISSING && lost[i] > most)
			most = lost[i];
	return most;
}

void ompp_region_time(const struct ompp_analysis *a, uint32_t region, struct ompp_region_time *time)
{
	int64_t overhead_ns = 0, all_ns;

	memset(time, 0, sizeof(*time));
	for (uint32_t top = a->same_first[0][region]; top != OMPP_NONE; top = a->same_next[top]) {
		if (!ompp_region_is_outer(a, top))
			continue;
		time->wall_ns = ompp_add(time->wall_ns, a->wall_ns[top]);
		time->body_ns = ompp_add(time->body_ns, time_of_bodies(a, top));
		for (uint32_t i = top; i != OMPP_NONE; i = ompp_region_next(a, top, i))
			time_add(a, i, i == top, time, &overhead_ns);
	}
	all_ns = ompp_times(time->wall_ns, time->n_threads);
	time->overhead = all_ns > 0 ? ompp_share(overhead_ns < all_ns ? overhead_ns : all_ns, all_ns) : 0;
}
