/*
 * Costly: see costly.h.
 */
#include "reports/views/costly.h"

#include <errno.h>

#include "reports/views/label.h"

/* The sum over all call paths and rows. */
static struct ompp_cell sum_of(const struct ompp_analysis *a, uint32_t region, int kind)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_cell sum = { 0 };

	for (uint32_t i = a->same_first[kind][region]; i != OMPP_NONE; i = a->same_next[i])
		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++)
			ompp_cell_add(&sum, &p->cells[p->nodes[i].first_cell + k]);
	return sum;
}

/* What is left of the measured time after a cost; missing where that is not known. */
static int64_t without(int64_t measured_ns, int64_t cost_ns)
{
	if (cost_ns == OMPP_MISSING)
		return OMPP_MISSING;
	return measured_ns > cost_ns ? measured_ns - cost_ns : 0;
}

static void put_region(const struct ompp_analysis *a, uint32_t r, int kind, struct ompp_table *table)
{
	const struct ompp_region *region = &a->profile->regions[r];
	enum ompp_construct construct = kind ? OMPP_TASKEXEC : region->construct;
	struct ompp_cell sum = sum_of(a, r, kind);
	int64_t measured_ns = ompp_add(sum.exec_ns, sum.cost_ns);

	ompp_table_text(table, ompp_region_tag(region, "", a->arena));
	ompp_table_text(table, ompp_construct_name(construct));
	ompp_table_text(table, ompp_region_place(a, region));
	ompp_view_region_values(table, region, construct);
	ompp_table_number(table, OMPP_KIND_COUNT, ompp_count(sum.n_exec));
	ompp_table_number(table, OMPP_KIND_TIME, measured_ns);
	ompp_table_number(table, OMPP_KIND_TIME, sum.exec_ns);
	ompp_table_number(table, OMPP_KIND_TIME, without(measured_ns, sum.cost_most_ns));
	ompp_table_number(table, OMPP_KIND_TIME, without(measured_ns, sum.cost_least_ns));
}

int ompp_costly(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	static const char *const titles[] = { "execC", "measured", "execT", "at least", "at most" };
	struct ompp_table *table = &sheet->table;
	size_t n = 0;

	for (size_t i = 0; i < a->n_order; i++)
		n += a->profile->regions[a->order[i]].costly != 0;
	if (!n)
		return 0;
	ompp_table_start(table, OMPP_STYLE_GRID, "costly regions",
	                 "Regions of the size of the profiler's own cost, all threads; execT is between the last two:");
	ompp_table_left_column(table, "", OMPP_IN_TEXT);
	ompp_table_left_column(table, "Type", OMPP_IN_TEXT);
	ompp_table_left_column(table, "Location", OMPP_IN_TEXT);
	ompp_view_region_columns(table);
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		ompp_table_column(table, titles[i], OMPP_IN_BOTH);
	for (size_t i = 0; i < a->n_order; i++)
		for (int kind = 0; kind < 2; kind++)
			if (a->profile->regions[a->order[i]].costly && a->same_first[kind][a->order[i]] != OMPP_NONE)
				put_region(a, a->order[i], kind, table);
	return sheet->put(sheet);
}
