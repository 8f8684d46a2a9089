/*
 * Costly: see costly.h.
 */
#include "reports/tables/costly.h"

#include <errno.h>

#include "reports/analysis/classes.h"
#include "reports/analysis/label.h"
#include "reports/tables/table_region.h"

/* Returns a measured time less a cost; OMPP_MISSING when the cost is missing. */
static int64_t costly_without(int64_t measured_ns, int64_t cost_ns)
{
	int64_t left_ns;

	if (cost_ns == OMPP_MISSING)
		return OMPP_MISSING;
	left_ns = ompp_subtract(measured_ns, cost_ns);
	return left_ns > 0 ? left_ns : 0;
}

static void put_region(const struct ompp_analysis *a, uint32_t r, int kind, struct ompp_table *table)
{
	const struct ompp_region *region = &a->profile->regions[r];
	enum ompp_construct construct = kind ? OMPP_TASKEXEC : region->construct;
	struct ompp_cell sum = ompp_analysis_sum(a, r, kind);
	int64_t measured_ns = ompp_add(sum.exec_ns, sum.cost_ns);

	ompp_table_text(table, ompp_region_tag(region, "", a->arena));
	ompp_table_text(table, ompp_construct_name(construct));
	ompp_table_text(table, ompp_region_location(a, region));
	ompp_region_values(table, region, construct);
	ompp_table_number(table, OMPP_KIND_COUNT, ompp_count(sum.n_exec));
	ompp_table_number(table, OMPP_KIND_TIME, measured_ns);
	ompp_table_time(table, sum.exec_ns, sum.error_ns, a->has_untimed);
	ompp_table_number(table, OMPP_KIND_TIME, costly_without(measured_ns, sum.cost_most_ns));
	ompp_table_number(table, OMPP_KIND_TIME, costly_without(measured_ns, sum.cost_least_ns));
}

int ompp_costly(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	struct ompp_table *table = &sheet->table;
	size_t n = 0;

	for (size_t i = 0; i < a->n_order; i++)
		n += a->profile->regions[a->order[i]].costly != 0;
	if (!n)
		return 0;
	ompp_table_start(table, OMPP_STYLE_GRID, "costly regions",
	                 "Regions of the size of the profiler's own cost, all threads; execT is between the last two:");
	ompp_table_left_columns(table, OMPP_IN_TEXT, "", "Type", "Location");
	ompp_region_columns(table);
	ompp_table_columns(table, OMPP_IN_BOTH, "execC", "measured");
	ompp_table_time_column(table, "execT", a->has_untimed);
	ompp_table_columns(table, OMPP_IN_BOTH, "at least", "at most");
	for (size_t i = 0; i < a->n_order; i++)
		for (int kind = 0; kind < 2; kind++)
			if (a->profile->regions[a->order[i]].costly && a->same_first[kind][a->order[i]] != OMPP_NONE)
				put_region(a, a->order[i], kind, table);
	return sheet->put(sheet);
}

/* Returns the upper bound of a cell's waiting: for an estimate, the time and two errors. */
static int64_t overhead_of(enum ompp_construct construct, const struct ompp_cell *cell)
{
	int64_t overhead_ns[OMPP_N_OVERHEADS] = { 0 }, error_ns[OMPP_N_OVERHEADS] = { 0 }, sum_ns = 0;

	ompp_overhead_charge(construct, cell, overhead_ns);
	ompp_overhead_charge_error(construct, cell, error_ns);
	for (int i = 0; i < OMPP_N_OVERHEADS; i++) {
		sum_ns = ompp_add(sum_ns, overhead_ns[i] > 0 ? overhead_ns[i] : 0);
		if (error_ns[i] != OMPP_MISSING)
			sum_ns = ompp_add(sum_ns, ompp_add(error_ns[i], error_ns[i]));
	}
	return sum_ns;
}

/* Do other threads wait while the own cost is paid?  They do for executions of tasks, and while a lock is held. */
static int keeps_others_waiting(const struct ompp_analysis *a, uint32_t region)
{
	enum ompp_construct construct = a->profile->regions[region].construct;
	struct ompp_cell itself = ompp_analysis_sum(a, region, 0), run = ompp_analysis_sum(a, region, 1);
	int64_t cost_ns = ompp_add(itself.cost_most_ns, run.cost_most_ns), held_ns;

	if (a->profile->regions[region].costly)
		return 1;
	if (ompp_construct_makes_tasks(construct))
		held_ns = run.exec_ns;
	else if (ompp_constructs[construct].form == OMPP_FORM_CRITICAL || ompp_construct_is_lock(construct))
		held_ns = itself.body_ns;
	else
		return 0;
	return cost_ns != OMPP_MISSING && held_ns != OMPP_MISSING && cost_ns > held_ns / 10;
}

int64_t ompp_costly_waiting_ns(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	int64_t sum_ns = 0, cpu_ns = ompp_add_known(p->user_ns, p->system_ns);
	uint8_t *keeps = ompp_arena_alloc(a->arena, p->n_regions);
	int has_tasks = 0;

	if (a->n_threads < 2 || !keeps)
		return 0;
	for (uint32_t r = 0; r < p->n_regions; r++) {
		keeps[r] = (uint8_t)keeps_others_waiting(a, r);
		has_tasks |= keeps[r] && ompp_construct_makes_tasks(p->regions[r].construct);
	}
	for (size_t i = 1; i < p->n_nodes; i++)
		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++) {
			const struct ompp_cell *cell = &p->cells[p->nodes[i].first_cell + k];

			if (keeps[p->nodes[i].region] || (has_tasks && cell->task_ns > 0))
				sum_ns = ompp_add(sum_ns, overhead_of(p->nodes[i].construct, cell));
		}
	return cpu_ns != OMPP_MISSING && sum_ns > costly_without(cpu_ns, p->cost_ns)
	             ? costly_without(cpu_ns, p->cost_ns)
	             : sum_ns;
}
