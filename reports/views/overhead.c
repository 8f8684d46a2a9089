/*
 * Overhead Analysis: how the time of each parallel region's threads divides into work and four classes of overhead.
 *
 * Every overhead is charged once, to the innermost PARALLEL around it.  The time of a PARALLEL is fork to join times
 * team size.  Sums over regions leave out what a nested team's first thread did, as it is in the outer team's time
 * already; the parallel coverage counts outermost parallel regions only.
 */
#include "reports/views/view.h"

#include <errno.h>
#include <string.h>

#include "reports/views/sort.h"
#include "runtime/base/text.h"

enum class { SYNCH, IMBAL, LIMPAR, MGMT, N_CLASSES };

struct parallel {
	uint32_t region;
	int64_t  total_ns;              /* of all threads, fork to join */
	int64_t  own_ns;                /* of it, what no outer team's time contains */
	int64_t  wall_ns, outer_wall_ns;        /* wall-clock; of it, not inside another PARALLEL */
	int64_t  ovhd_ns[N_CLASSES];
};

/* The parallel regions by id, and the same with the longest first. */
struct list {
	struct parallel *parallel;
	uint32_t        *order;
	size_t           n;
};

/* More executions than bodies: some threads got no section. */
static int has_idle_threads(const struct ompp_cell *sum)
{
	return sum->n_body < sum->n_exec;
}

static void charge(enum ompp_construct construct, const struct ompp_cell *sum, int64_t ovhd_ns[N_CLASSES])
{
	int64_t add[N_CLASSES] = { 0 };

	if (ompp_construct_is_parallel(construct))
		add[MGMT] = ompp_add(sum->startup_ns, sum->shutdown_ns);
	switch (construct) {
	case OMPP_ATOMIC:
	case OMPP_FLUSH:
		add[SYNCH] = sum->exec_ns;
		break;
	case OMPP_BARRIER:
		add[SYNCH] = ompp_add(sum->exec_ns, -sum->task_ns);
		break;
	case OMPP_CRITICAL:
	case OMPP_LOCK:
	case OMPP_NEST_LOCK:
	case OMPP_ORDERED:
		add[SYNCH] = sum->enter_ns;
		add[MGMT] = sum->exit_ns;
		break;
	case OMPP_PARALLEL:
	case OMPP_PARALLEL_LOOP:
	case OMPP_PARALLEL_WORKSHARE:
	case OMPP_LOOP:
	case OMPP_WORKSHARE:
	case OMPP_SCOPE:
		add[IMBAL] = sum->exit_bar_ns;
		break;
	case OMPP_SECTIONS:
		add[MGMT] = sum->mgmt_ns;
		add[has_idle_threads(sum) ? LIMPAR : IMBAL] = sum->exit_bar_ns;
		break;
	case OMPP_PARALLEL_SECTIONS:
		add[has_idle_threads(sum) ? LIMPAR : IMBAL] = sum->exit_bar_ns;
		break;
	case OMPP_SINGLE:
		add[LIMPAR] = sum->exit_bar_ns;
		break;
	default:
		break;
	}
	for (int i = 0; i < N_CLASSES; i++)     /* what is not known is in no class; a note says so */
		ovhd_ns[i] = ompp_add(ovhd_ns[i], add[i] == OMPP_MISSING ? 0 : add[i]);
}

/* Fill the list by id; index is room for its place by region. */
static size_t collect(const struct ompp_analysis *a, struct parallel *list, uint32_t *index)
{
	const struct ompp_profile *p = a->profile;
	size_t n = 0;

	memset(index, 0xff, p->n_regions * sizeof(*index));
	for (uint32_t r = 0; r < p->n_regions; r++)
		if (ompp_construct_is_parallel(p->regions[r].construct)) {
			index[r] = (uint32_t)n;
			list[n++].region = r;
		}
	for (uint32_t i = 1; i < p->n_nodes; i++) {
		const struct ompp_node *node = &p->nodes[i];
		uint32_t outer = a->team[node->parent];
		struct ompp_cell sum = { 0 };
		struct parallel *parallel;
		int64_t first_ns = 0;

		if (a->team[i] == OMPP_NONE)
			continue;
		for (uint32_t k = 0; k < node->n_cells; k++) {
			const struct ompp_cell *cell = &p->cells[node->first_cell + k];

			ompp_cell_add(&sum, cell);
			if (!p->rows[cell->row].rank)
				first_ns = ompp_add(first_ns, cell->exec_ns);
		}
		parallel = &list[index[p->nodes[a->team[i]].region]];
		charge(node->construct, &sum, parallel->ovhd_ns);
		if (a->team[i] != i)
			continue;
		parallel->total_ns = ompp_add(parallel->total_ns, sum.exec_ns);
		parallel->own_ns = ompp_add(parallel->own_ns,
		                            outer == OMPP_NONE ? sum.exec_ns : ompp_add(sum.exec_ns, -first_ns));
		parallel->wall_ns = ompp_add(parallel->wall_ns, a->wall_ns[i]);
		if (outer == OMPP_NONE)
			parallel->outer_wall_ns = ompp_add(parallel->outer_wall_ns, a->wall_ns[i]);
	}
	return n;
}

static int is_after(const void *list, uint32_t x, uint32_t y)
{
	const struct parallel *px = (const struct parallel *)list + x, *py = (const struct parallel *)list + y;

	return px->wall_ns != py->wall_ns ? px->wall_ns < py->wall_ns : x > y;
}

static void put_seconds(struct ompp_text *t, int64_t ns, int64_t whole_ns)
{
	int64_t share = ompp_share(ns, whole_ns);
	unsigned int n = 2;

	for (int64_t bound = 1000000000; n < 9 && ns && ns > -bound && ns < bound; bound /= 10)
		n++;
	ompp_text_fixed(t, ns, 9, n);
	ompp_text_str(t, " sec (");
	if (share == OMPP_MISSING)
		ompp_text_char(t, '-');
	else
		ompp_text_fixed(t, share, 7, 2);
	ompp_text_str(t, "%)");
}

static int summary(const struct ompp_analysis *a, struct ompp_sheet *sheet, const struct list *l)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_table *table = &sheet->table;
	char buffer[96];
	struct ompp_text t;
	int64_t covered_ns = 0, cost_share = ompp_share(p->cost_ns, a->capacity_ns);

	for (size_t i = 0; i < l->n; i++)
		covered_ns = ompp_add(covered_ns, l->parallel[i].outer_wall_ns);
	ompp_table_start(table, OMPP_STYLE_FACTS, "", "");
	ompp_table_left_column(table, "label", OMPP_IN_BOTH);
	if (!table->rc)
		table->columns[0].min_width = 27;       /* the longest label */
	ompp_table_left_column(table, "value", OMPP_IN_TEXT);
	ompp_table_column(table, "value", OMPP_IN_RECORDS);
	ompp_table_column(table, "share", OMPP_IN_RECORDS);

	ompp_text_init(&t, buffer, sizeof(buffer));
	put_seconds(&t, p->duration_ns, p->duration_ns);
	ompp_text_str(&t, p->max_threads == 1 ? " [1 thread]" : " [");
	if (p->max_threads != 1) {
		ompp_text_u64(&t, p->max_threads);
		ompp_text_str(&t, " threads]");
	}
	ompp_table_text(table, "Total runtime (wallclock)");
	ompp_table_text(table, ompp_arena_strdup(a->arena, buffer));
	ompp_table_number(table, OMPP_KIND_TIME, p->duration_ns);
	ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(p->duration_ns, p->duration_ns));

	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_u64(&t, l->n);
	ompp_table_text(table, "Number of parallel regions");
	ompp_table_text(table, ompp_arena_strdup(a->arena, buffer));
	ompp_table_number(table, OMPP_KIND_COUNT, (int64_t)l->n);
	ompp_table_number(table, OMPP_KIND_NONE, OMPP_MISSING);

	ompp_text_init(&t, buffer, sizeof(buffer));
	put_seconds(&t, covered_ns, p->duration_ns);
	ompp_table_text(table, "Parallel coverage");
	ompp_table_text(table, ompp_arena_strdup(a->arena, buffer));
	ompp_table_number(table, OMPP_KIND_TIME, covered_ns);
	ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(covered_ns, p->duration_ns));

	if (p->off_ns) {
		ompp_text_init(&t, buffer, sizeof(buffer));
		put_seconds(&t, p->off_ns, p->duration_ns);
		ompp_table_text(table, "Measuring off");
		ompp_table_text(table, ompp_arena_strdup(a->arena, buffer));
		ompp_table_number(table, OMPP_KIND_TIME, p->off_ns);
		ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(p->off_ns, p->duration_ns));
	}

	ompp_text_init(&t, buffer, sizeof(buffer));
	put_seconds(&t, p->cost_ns, a->capacity_ns);
	ompp_text_str(&t, " of all threads' time, taken out");
	ompp_table_text(table, "Own cost of the profiler");
	ompp_table_text(table, ompp_arena_strdup(a->arena, buffer));
	ompp_table_number(table, OMPP_KIND_TIME, p->cost_ns);
	ompp_table_number(table, OMPP_KIND_SHARE, cost_share);
	return sheet->put(sheet);
}

static int by_wallclock(const struct ompp_analysis *a, struct ompp_sheet *sheet, const struct list *l)
{
	const struct ompp_profile *p = a->profile;
	struct ompp_table *table = &sheet->table;
	int64_t sum_ns = 0;

	ompp_table_start(table, OMPP_STYLE_GRID, "", "Parallel regions sorted by wallclock time:");
	ompp_table_left_column(table, "", OMPP_IN_TEXT);
	ompp_table_left_column(table, "Type", OMPP_IN_TEXT);
	ompp_table_left_column(table, "Location", OMPP_IN_TEXT);
	ompp_view_region_columns(table);
	ompp_table_column(table, "Wallclock", OMPP_IN_BOTH);
	ompp_table_column(table, "(%)", OMPP_IN_BOTH);
	for (size_t i = 0; i < l->n; i++) {
		const struct parallel *row = &l->parallel[l->order[i]];
		const struct ompp_region *region = &p->regions[row->region];

		if (!a->shown[row->region])
			continue;
		ompp_table_text(table, ompp_region_tag(region, "", a->arena));
		ompp_table_text(table, ompp_construct_name(region->construct));
		ompp_table_text(table, ompp_region_place(region, a->arena));
		ompp_view_region_values(table, region, region->construct);
		ompp_table_number(table, OMPP_KIND_TIME, row->wall_ns);
		ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(row->wall_ns, p->duration_ns));
		sum_ns = ompp_add(sum_ns, row->outer_wall_ns);
	}
	for (int i = 0; i < 9; i++)
		ompp_table_text(table, i == 0 || i == 3 ? "SUM" : "");
	ompp_table_number(table, OMPP_KIND_TIME, sum_ns);
	ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(sum_ns, p->duration_ns));
	return sheet->put(sheet);
}

static void overhead_row(struct ompp_table *table, const char *label, const struct parallel *row, int64_t whole_ns)
{
	int64_t total_ns = 0;

	for (int i = 0; i < N_CLASSES; i++)
		total_ns = ompp_add(total_ns, row->ovhd_ns[i]);
	ompp_table_text(table, label);
	ompp_table_number(table, OMPP_KIND_TIME, row->total_ns);
	ompp_table_number(table, OMPP_KIND_TIME, total_ns);
	ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(total_ns, whole_ns));
	for (int i = 0; i < N_CLASSES; i++) {
		ompp_table_number(table, OMPP_KIND_TIME, row->ovhd_ns[i]);
		ompp_table_number(table, OMPP_KIND_SHARE, ompp_share(row->ovhd_ns[i], whole_ns));
	}
}

/* whole_ns 0: against each region's own time. */
static int overheads(const struct ompp_analysis *a, struct ompp_sheet *sheet, const struct list *l,
                     const char *heading, const char *tag, int64_t whole_ns)
{
	static const char *const titles[] = { "Total", "Ovhds", "(%)", "Synch", "(%)", "Imbal", "(%)", "Limpar", "(%)",
	                                      "Mgmt", "(%)" };
	struct ompp_table *table = &sheet->table;
	struct parallel sum = { 0 };

	ompp_table_start(table, OMPP_STYLE_GRID, tag, heading);
	ompp_table_column(table, "", OMPP_IN_BOTH);
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		ompp_table_column(table, titles[i], OMPP_IN_BOTH);
	for (size_t i = 0; i < l->n; i++) {
		const struct parallel *row = &l->parallel[l->order[i]];
		const char *label = ompp_region_tag(&a->profile->regions[row->region], "", a->arena);

		if (!a->shown[row->region])
			continue;
		overhead_row(table, label, row, whole_ns ? whole_ns : row->total_ns);
		sum.total_ns = ompp_add(sum.total_ns, row->own_ns);
		for (int k = 0; k < N_CLASSES; k++)
			sum.ovhd_ns[k] = ompp_add(sum.ovhd_ns[k], row->ovhd_ns[k]);
	}
	overhead_row(table, "SUM", &sum, whole_ns ? whole_ns : sum.total_ns);
	return sheet->put(sheet);
}

static int build(const struct ompp_analysis *a, struct ompp_sheet *sheet)
{
	const struct ompp_profile *p = a->profile;
	uint32_t *index = ompp_arena_alloc(a->arena, p->n_regions * sizeof(*index));
	struct list l;
	int rc;

	l.parallel = ompp_arena_alloc(a->arena, p->n_regions * sizeof(*l.parallel));
	l.order = ompp_arena_alloc(a->arena, p->n_regions * sizeof(*l.order));
	if (!l.parallel || !l.order || !index)
		return -ENOMEM;
	l.n = collect(a, l.parallel, index);
	for (uint32_t i = 0; i < l.n; i++)
		l.order[i] = i;
	ompp_sort(l.order, l.n, is_after, l.parallel);
	rc = summary(a, sheet, &l);
	if (!rc && l.n)
		rc = by_wallclock(a, sheet, &l);
	if (!rc && l.n)
		rc = overheads(a, sheet, &l, "Overheads wrt. each individual parallel region:",
		               "overheads wrt. each individual parallel region", 0);
	if (!rc && l.n)
		rc = overheads(a, sheet, &l, "Overheads wrt. whole program:", "overheads wrt. whole program",
		               a->capacity_ns);
	return rc;
}

const struct ompp_view ompp_view_overhead = {
	.name = "overhead", .title = "Overhead Analysis Report", .tag = "overhead analysis report",
	.build = build, .has_times = 1
};
