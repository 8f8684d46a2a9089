/*
 * Efficiency: the efficiencies of the run and of its regions (analysis/efficiency.h).  It is shown where ranks of MPI
 * were added up.
 */
#include "reports/tables/view.h"

#include <errno.h>

#include "reports/analysis/efficiency.h"
#include "reports/analysis/label.h"
#include "reports/findings/finding_say.h"
#include "reports/tables/data_section.h"
#include "reports/tables/table_region.h"
#include "runtime/base/text.h"

/* How an efficiency is known, by its number. */
static const char *certainty_of(const struct ompp_efficiency *e, int k)
{
	return e->share[k] == OMPP_MISSING                                                 ? "-"
	     : k == OMPP_EFFICIENCY_MPI_SERIALISATION || k == OMPP_EFFICIENCY_MPI_TRANSFER ? "modelled"
	     : e->error[k]                                                                 ? "sampled"
	                                                                                   : "measured";
}

static const char *indented(int depth, const char *title, struct ompp_arena *arena)
{
	char buffer[64];
	struct ompp_text t;

	ompp_text_init(&t, buffer, sizeof(buffer));
	for (int i = 0; i < depth; i++)
		ompp_text_str(&t, "  ");
	ompp_text_str(&t, title);
	return ompp_arena_strdup(arena, buffer);
}

static const char *run_heading(const struct ompp_efficiency *e, int has_mpi, struct ompp_arena *arena)
{
	struct ompp_text t;

	ompp_say_start(&t, arena);
	ompp_text_str(&t, "The run: ");
	ompp_say_count(&t, e->n_threads, "thread");
	if (e->n_processes > 1) {
		ompp_text_str(&t, " of ");
		ompp_say_count(&t, e->n_processes, "rank");
	}
	ompp_text_str(&t, ", ");
	ompp_say_time(&t, e->wall_ns);
	ompp_text_str(&t, has_mpi ? " without starting and ending MPI:" : ":");
	return t.data;
}

static int put_run(const struct ompp_analysis *a, const struct ompp_efficiencies *all, struct ompp_sheet *sheet)
{
	const struct ompp_efficiency *e = &all->list[0];
	struct ompp_table *table = &sheet->table;

	ompp_table_start(table, OMPP_STYLE_GRID, "efficiency of the run", run_heading(e, all->has_mpi, a->arena));
	ompp_table_left_column(table, "efficiency", OMPP_IN_TEXT);
	ompp_table_columns(table, OMPP_IN_RECORDS, "efficiency", "depth");
	ompp_table_columns(table, OMPP_IN_BOTH, "(%)", "error (%)");
	ompp_table_left_columns(table, OMPP_IN_BOTH, "known as", "lost where");
	for (int k = 0; k < OMPP_N_EFFICIENCIES; k++) {
		const struct ompp_efficiency_info *info = &ompp_efficiency_infos[k];

		ompp_table_text(table, indented(info->depth, info->title, a->arena));
		ompp_table_text(table, info->title);
		ompp_table_number(table, OMPP_KIND_COUNT, info->depth);
		ompp_table_number(table, OMPP_KIND_SHARE, e->share[k]);
		ompp_table_number(table, OMPP_KIND_SHARE, e->error[k] ? e->error[k] : OMPP_MISSING);
		ompp_table_text(table, certainty_of(e, k));
		ompp_table_text(table, info->words);
	}
	return sheet->put(sheet);
}

/* Is the efficiency known of one of the regions at least? */
static int is_known(const struct ompp_efficiencies *all, int k)
{
	for (size_t i = 1; i < all->n; i++)
		if (all->list[i].share[k] != OMPP_MISSING)
			return 1;
	return 0;
}

static int have_errors(const struct ompp_efficiencies *all)
{
	for (size_t i = 1; i < all->n; i++)
		if (all->list[i].error[OMPP_EFFICIENCY_OPENMP])
			return 1;
	return 0;
}

static void regions_columns(const struct ompp_efficiencies *all, struct ompp_table *table)
{
	ompp_region_columns(table);
	ompp_table_column(table, "wall time", OMPP_IN_BOTH);
	for (int k = 0; k < OMPP_N_EFFICIENCIES; k++)
		ompp_table_column(table, ompp_table_title(ompp_efficiency_infos[k].column, " (%)", table->arena),
		                  is_known(all, k) ? OMPP_IN_BOTH : OMPP_IN_RECORDS);
	ompp_table_column(table, "OpenMP error (%)", have_errors(all) ? OMPP_IN_BOTH : OMPP_IN_RECORDS);
	ompp_table_left_column(table, "region", OMPP_IN_TEXT);
	for (size_t c = 0; c < table->n_columns && !table->rc; c++) /* text needs no signs there */
		for (int k = 0; k < OMPP_N_EFFICIENCIES; k++)
			if (table->columns[c].where == OMPP_IN_BOTH &&
			    table->n_columns - 2 - OMPP_N_EFFICIENCIES + (size_t)k == c)
				table->columns[c].text_title = ompp_efficiency_infos[k].column;
}

static int put_regions(const struct ompp_analysis *a, const struct ompp_efficiencies *all, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_table *table = &sheet->table;

	ompp_table_start(table, OMPP_STYLE_GRID, "efficiency by region", "Regions, per cent of their own time:");
	regions_columns(all, table);
	for (size_t i = 1; i < all->n; i++) {
		const struct ompp_efficiency *e = &all->list[i];
		const struct ompp_region *region = &p->regions[e->region];

		if (!a->shown[e->region])
			continue;
		ompp_region_values(table, region, region->construct);
		ompp_table_number(table, OMPP_KIND_TIME, e->wall_ns);
		for (int k = 0; k < OMPP_N_EFFICIENCIES; k++)
			ompp_table_number(table, OMPP_KIND_SHARE, e->share[k]);
		ompp_table_number(table, OMPP_KIND_SHARE, e->error[OMPP_EFFICIENCY_OPENMP]);
		ompp_table_text(table, ompp_region_label(a, region));
	}
	return table->n_values ? sheet->put(sheet) : 0;
}

static const char *efficiency_legend(const struct ompp_efficiencies *all, struct ompp_arena *arena)
{
	struct ompp_text t;

	ompp_say_start(&t, arena);
	if (all->has_hosts)
		ompp_text_str(&t,
		              "A process has several threads of its own beside OpenMP's, whose teams run side by side: "
		              "nothing is known. ");
	if (!all->has_mpi)
		ompp_text_str(&t, "No calls of MPI were measured, so OpenMP's part stands alone. ");
	else if (all->is_part)
		ompp_text_str(&t,
		              "Ranks of the run are missing, so their balance is not known: report the profiles of all "
		              "ranks together. ");
	if (all->has_mpi && all->list[0].share[OMPP_EFFICIENCY_MPI_TRANSFER] == OMPP_MISSING)
		ompp_text_str(&t, "Serialisation and transfer are not told apart: too few calls were compared with "
		                  "those of the other ranks to tell how long each waited. ");
	ompp_text_str(&t,
	              "Each efficiency is the product of those one step below it. In a region's row, ranks and threads "
	              "are the balance of each. ompp-efficiency(7) has the formulas.");
	return t.data;
}

static int efficiency_build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const struct ompp_efficiencies *all = ompp_efficiencies(a);
	int rc = all ? put_run(a, all, sheet) : -ENOMEM;

	if (!rc)
		rc = put_regions(a, all, sheet);
	return rc ? rc : ompp_data_remark(efficiency_legend(all, a->arena), sheet);
}

static int efficiency_is_empty(const struct ompp_analysis *a)
{
	return !ompp_efficiencies_are_there(a->profile);
}

const struct ompp_view ompp_view_efficiency = { .title = "Efficiency",
	                                        .tag = "efficiency",
	                                        .build = efficiency_build,
	                                        .is_empty = efficiency_is_empty,
	                                        .has_times = 1 };
