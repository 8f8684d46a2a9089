/*
 * Merge: see merge.h.  Only in the program ompp.
 */
#include "reports/profile/merge.h"

#include <errno.h>
#include <string.h>

#include "reports/profile/merge_allocations.h"
#include "reports/profile/merge_course.h"
#include "reports/profile/merge_data.h"
#include "reports/profile/merge_meetings.h"
#include "reports/profile/merge_rows.h"
#include "reports/profile/merge_samples.h"
#include "reports/profile/number.h"
#include "reports/profile/record.h"
#include "runtime/base/array.h"
#include "runtime/base/bound.h"
#include "runtime/base/check.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

/* The result while it grows. */
struct merge {
	struct ompp_arena *arena;
	struct ompp_region *regions;
	size_t n_regions;
	struct ompp_row *rows;
	size_t n_rows;
	struct ompp_node *nodes;
	size_t n_nodes;
	uint32_t *first_child, *next_child, *taken_by; /* by node of the result */
	struct ompp_cell *cells;
	struct ompp_metric *metrics;
	size_t n_metrics;
	int64_t *values;
	struct ompp_eval *evals;
	size_t n_evals;
	struct ompp_numa_value *numa_values;
	size_t n_numa_values;
	struct ompp_condition *conditions;
	size_t n_conditions;
	struct ompp_profile_note *notes;
	size_t n_notes;
	struct ompp_process *processes;
	size_t n_processes;
	uint32_t n_hosts;
};

/* Allocates room for the elements of all profiles, as if no two profiles shared any. */
static int merge_reserve(struct merge *m, const struct ompp_profile *p, size_t n, size_t *n_cells)
{
	size_t n_regions = 0, n_rows = 0, n_nodes = 1, n_metrics = 0, n_conditions = 0, n_notes = 0, n_evals = 0;
	size_t n_numa_values = 0;

	*n_cells = 0;
	for (size_t i = 0; i < n; i++) {
		n_regions += p[i].n_regions;
		n_rows += p[i].n_rows;
		n_nodes += p[i].n_nodes;
		n_metrics += p[i].n_metrics;
		n_evals += p[i].n_evals;
		n_numa_values += p[i].n_numa_values;
		n_conditions += p[i].n_conditions;
		n_notes += p[i].n_notes;
		*n_cells += p[i].n_cells;
	}
	m->regions = ompp_arena_alloc(m->arena, n_regions * sizeof(*m->regions));
	m->rows = ompp_arena_alloc(m->arena, n_rows * sizeof(*m->rows));
	m->nodes = ompp_arena_alloc(m->arena, n_nodes * sizeof(*m->nodes));
	m->first_child = ompp_arena_alloc(m->arena, n_nodes * sizeof(uint32_t));
	m->next_child = ompp_arena_alloc(m->arena, n_nodes * sizeof(uint32_t));
	m->taken_by = ompp_arena_alloc(m->arena, n_nodes * sizeof(uint32_t));
	m->cells = ompp_arena_alloc(m->arena, *n_cells * sizeof(*m->cells));
	m->metrics = ompp_arena_alloc(m->arena, n_metrics * sizeof(*m->metrics));
	m->evals = ompp_arena_alloc(m->arena, n_evals * sizeof(*m->evals));
	m->numa_values = ompp_arena_alloc(m->arena, n_numa_values * sizeof(*m->numa_values));
	m->conditions = ompp_arena_alloc(m->arena, n_conditions * sizeof(*m->conditions));
	m->notes = ompp_arena_alloc(m->arena, n_notes * sizeof(*m->notes));
	m->processes = ompp_arena_alloc(m->arena, n * sizeof(*m->processes));
	if (!m->regions || !m->rows || !m->nodes || !m->first_child || !m->next_child || !m->taken_by || !m->cells ||
	    !m->metrics || !m->evals || !m->numa_values || !m->conditions || !m->notes || !m->processes)
		return -ENOMEM;
	m->nodes[0] = (struct ompp_node){ .parent = OMPP_NONE, .region = OMPP_NONE };
	m->n_nodes = 1;
	return 0;
}

static uint32_t add_region(struct merge *m, const struct ompp_region *region)
{
	size_t i;

	for (i = 0; i < m->n_regions; i++) {
		struct ompp_region *have = &m->regions[i];

		if (have->construct == region->construct && have->begin_line == region->begin_line &&
		    have->end_line == region->end_line && !strcmp(have->file, region->file) &&
		    !strcmp(have->name, region->name) &&
		    !strcmp(ompp_region_instantiation(have), ompp_region_instantiation(region))) {
			ompp_record_add(OMPP_SECTION_REGIONS, have, region);
			return (uint32_t)i;
		}
	}
	m->regions[i] = *region;
	m->regions[i].id = (uint32_t)++m->n_regions;
	return (uint32_t)i;
}

/* Adds one rank's certainty of a metric: the sum has the least certainty of the ranks that counted it, and is
 * NOT_COUNTED if none did. */
static void add_certainty(struct ompp_metric *have, const struct ompp_metric *metric)
{
	static const char on_some[] = "not counted on all ranks";
	int is_here = metric->certainty != OMPP_NOT_COUNTED, is_there = have->certainty != OMPP_NOT_COUNTED;

	if (is_here != is_there || have->detail == on_some) {
		have->detail = on_some;
		if (is_here && (!is_there || have->certainty < metric->certainty))
			have->certainty = metric->certainty;
	} else if (have->certainty < metric->certainty) {
		have->certainty = metric->certainty;
		have->detail = metric->detail;
	} else if (have->certainty == metric->certainty && strcmp(have->detail, metric->detail)) {
		have->detail = "not the same on all ranks";
	}
}

static uint32_t add_metric(struct merge *m, const struct ompp_metric *metric)
{
	size_t i;

	for (i = 0; i < m->n_metrics; i++)
		if (!strcmp(m->metrics[i].name, metric->name)) {
			add_certainty(&m->metrics[i], metric);
			return (uint32_t)i;
		}
	m->metrics[m->n_metrics++] = *metric;
	return (uint32_t)i;
}

static void add_eval(struct merge *m, const struct ompp_eval *eval)
{
	for (size_t i = 0; i < m->n_evals; i++)
		if (!strcmp(m->evals[i].name, eval->name) && !strcmp(m->evals[i].expression, eval->expression))
			return;
	m->evals[m->n_evals++] = *eval;
}

/* Returns the child of the parent for this region that profile number `who` has not taken yet; makes one if need be. */
static uint32_t add_node(struct merge *m, uint32_t parent, uint32_t region, enum ompp_construct construct, uint32_t who)
{
	uint32_t *link = &m->first_child[parent];

	ompp_assert(parent < m->n_nodes && region != OMPP_NONE);
	for (; *link; link = &m->next_child[*link]) {
		struct ompp_node *node = &m->nodes[*link];

		if (node->region == region && node->construct == construct && m->taken_by[*link] != who) {
			m->taken_by[*link] = who;
			return *link;
		}
	}
	*link = (uint32_t)m->n_nodes++;
	m->nodes[*link] = (struct ompp_node){ .parent = parent, .region = region, .construct = construct };
	m->taken_by[*link] = who;
	return *link;
}

/* Adds the values of NUMA nodes.  Ranks are kept apart, as two ranks on one machine count the same events. */
static void add_numa_values(struct merge *m, const struct ompp_profile *p, const struct ompp_merge_map *map,
                            uint32_t who)
{
	for (size_t i = 0; i < p->n_numa_values; i++) {
		struct ompp_numa_value *value = &m->numa_values[m->n_numa_values++];

		*value = p->numa_values[i];
		ompp_assert(value->node < p->n_nodes);
		value->node = map->nodes[value->node];
		value->process = 1 + (uint32_t)(p->mpi_rank >= 0 ? p->mpi_rank : (int64_t)who - 1);
	}
}

static int value_is_after(const void *values, uint32_t x, uint32_t y)
{
	const struct ompp_numa_value *a = (const struct ompp_numa_value *)values + x;
	const struct ompp_numa_value *b = (const struct ompp_numa_value *)values + y;

	return a->node != b->node ? a->node > b->node : x > y;
}

/* Sorts by node, as profile.h promises: the nodes of one rank may come in another order in the result. */
static int sort_numa_values(struct merge *m)
{
	size_t n = m->n_numa_values;
	struct ompp_numa_value *sorted = ompp_arena_alloc(m->arena, n * sizeof(*sorted));
	uint32_t *order = n > UINT32_MAX ? NULL : ompp_arena_alloc(m->arena, n * sizeof(*order));

	if (!sorted || !order)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	ompp_sort(order, n, value_is_after, m->numa_values);
	for (size_t i = 0; i < n; i++)
		sorted[i] = m->numa_values[order[i]];
	for (size_t i = 1; i < n; i++)
		ompp_assert(sorted[i - 1].node <= sorted[i].node);
	m->numa_values = sorted;
	return 0;
}

static int add_conditions(struct merge *m, const struct ompp_profile *p, const struct ompp_profile *first,
                          const struct ompp_merge_map *map)
{
	for (size_t i = 0; i < p->n_conditions; i++) {
		const struct ompp_condition *c = &p->conditions[i];
		size_t k = 0;

		while (p != first && k < first->n_conditions &&
		       (strcmp(first->conditions[k].label, c->label) || strcmp(first->conditions[k].value, c->value)))
			k++;
		if (p != first && k < first->n_conditions)
			continue;
		m->conditions[m->n_conditions] = *c;
		if (p != first) {
			m->conditions[m->n_conditions].value = ompp_merge_prefixed(map->process, ": ", c->value,
			                                                           m->arena);
			if (!m->conditions[m->n_conditions].value)
				return -ENOMEM;
		}
		m->n_conditions++;
	}
	return 0;
}

/* Names the process: "r3" is rank 3 of an MPI run, "p0" the first of other processes. */
static void name_process(struct ompp_merge_map *map, const struct ompp_profile *p, uint32_t who)
{
	struct ompp_text t;

	ompp_text_init(&t, map->process, sizeof(map->process));
	ompp_text_char(&t, p->mpi_rank >= 0 ? 'r' : 'p');
	ompp_text_i64(&t, p->mpi_rank >= 0 ? p->mpi_rank : (int64_t)who - 1);
}

static int add_process(struct merge *m, const struct ompp_profile *p, const struct ompp_merge_map *map)
{
	struct ompp_process *process = &m->processes[m->n_processes++];

	*process = (struct ompp_process){ .name = ompp_arena_strdup(m->arena, map->process),
		                          .first_row = map->first_row,
		                          .max_threads = p->max_threads,
		                          .duration_ns = p->duration_ns,
		                          .off_ns = p->off_ns,
		                          .before_main_ns = p->before_main_ns,
		                          .queued_ns = p->queued_ns,
		                          .host = ompp_profile_condition(p, "Host") };
	return process->name ? 0 : -ENOMEM;
}

static int add_profile(struct merge *m, const struct ompp_profile *p, const struct ompp_profile *first, uint32_t who,
                       struct ompp_merge_map *map)
{
	map->regions = ompp_arena_alloc(m->arena, p->n_regions * sizeof(uint32_t));
	map->nodes = ompp_arena_alloc(m->arena, p->n_nodes * sizeof(uint32_t));
	map->metrics = ompp_arena_alloc(m->arena, p->n_metrics * sizeof(uint32_t));
	map->first_row = (uint32_t)m->n_rows;
	map->cells = ompp_arena_alloc(m->arena, p->n_cells * sizeof(uint32_t));
	if (!map->regions || !map->nodes || !map->metrics || !map->cells)
		return -ENOMEM;
	name_process(map, p, who);
	if (p->n_rows && add_process(m, p, map))
		return -ENOMEM;
	for (size_t i = 0; i < p->n_regions; i++)
		map->regions[i] = add_region(m, &p->regions[i]);
	for (size_t i = 0; i < p->n_metrics; i++)
		map->metrics[i] = add_metric(m, &p->metrics[i]);
	for (size_t i = 0; i < p->n_rows; i++) {
		struct ompp_row *row = &m->rows[m->n_rows++];

		*row = p->rows[i];
		row->host = m->n_hosts + p->rows[i].host;
		row->parent = row->parent == OMPP_NONE ? OMPP_NONE : row->parent + map->first_row;
		row->label = ompp_merge_prefixed(map->process, ":", p->rows[i].label, m->arena);
		if (!row->label)
			return -ENOMEM;
	}
	if (p->n_rows)
		m->n_hosts += p->rows[p->n_rows - 1].host;
	for (size_t i = 1; i < p->n_nodes; i++)
		map->nodes[i] = add_node(m, map->nodes[p->nodes[i].parent], map->regions[p->nodes[i].region],
		                         p->nodes[i].construct, who);
	for (size_t i = 0; i < p->n_nodes; i++)
		m->nodes[map->nodes[i]].n_cells += p->nodes[i].n_cells;
	for (size_t i = 0; i < p->n_evals; i++)
		add_eval(m, &p->evals[i]);
	add_numa_values(m, p, map, who);
	for (size_t i = 0; i < p->n_notes; i++) {
		m->notes[m->n_notes] = p->notes[i];
		m->notes[m->n_notes].text = ompp_merge_prefixed(map->process, ": ", p->notes[i].text, m->arena);
		if (!m->notes[m->n_notes++].text)
			return -ENOMEM;
	}
	return add_conditions(m, p, first, map);
}

static void add_cells(struct merge *m, const struct ompp_profile *p, const struct ompp_merge_map *map)
{
	for (size_t i = 0; i < p->n_nodes; i++) {
		struct ompp_node *node = &m->nodes[map->nodes[i]];

		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++) {
			uint32_t from = p->nodes[i].first_cell + k;
			size_t to = node->first_cell + node->n_cells++;

			m->cells[to] = p->cells[from];
			m->cells[to].row += map->first_row;
			map->cells[from] = (uint32_t)to;
			for (size_t v = 0; v < m->n_metrics; v++)
				m->values[to * m->n_metrics + v] = OMPP_MISSING;
			for (size_t v = 0; v < p->n_metrics; v++)
				m->values[to * m->n_metrics + map->metrics[v]] = p->values[from * p->n_metrics + v];
		}
	}
}

/* Returns the mean of the times while measuring was off: wall-clock times of concurrent rows are always means.
 */
static int64_t mean_off_ns(const struct ompp_profile *profiles, size_t n)
{
	__int128 sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += profiles[i].off_ns;
	return (int64_t)(sum / (__int128)n);
}

/* Merges the lists that need no code of their own.  NUMA nodes of the same number count as one, even if the processes
 * ran on several hosts: node 0 is then that of each process's own host. */
static int merge_lists(const struct ompp_profile *profiles, size_t n, struct ompp_merge_map *maps,
                       struct ompp_arena *arena, struct ompp_profile *out)
{
	static const enum ompp_section lists[] = { OMPP_SECTION_WAITS,
		                                   OMPP_SECTION_CHUNKS,
		                                   OMPP_SECTION_DURATIONS,
		                                   OMPP_SECTION_DURATION_BUCKETS,
		                                   OMPP_SECTION_DURATION_SLICES,
		                                   OMPP_SECTION_PLACEMENTS,
		                                   OMPP_SECTION_BINDINGS,
		                                   OMPP_SECTION_PAGED,
		                                   OMPP_SECTION_HOT_PAGES,
		                                   OMPP_SECTION_PAGE_VARIABLES,
		                                   OMPP_SECTION_STRUCTURES,
		                                   OMPP_SECTION_MEMBERS,
		                                   OMPP_SECTION_MEMBER_ACCESSES,
		                                   OMPP_SECTION_STRUCTURE_LINES,
		                                   OMPP_SECTION_PARTNERS,
		                                   OMPP_SECTION_RANK_WAITS,
		                                   OMPP_SECTION_RANK_CLOCKS,
		                                   OMPP_SECTION_SPANS,
		                                   OMPP_SECTION_GAINS };
	int rc = 0;

	for (size_t i = 0; i < OMPP_COUNT_OF(lists) && !rc; i++)
		rc = ompp_merge_rows(lists[i], profiles, n, maps, arena, out, NULL);
	if (out->n_hot_pages > OMPP_HOT_PAGES)
		out->n_hot_pages = OMPP_HOT_PAGES;
	for (size_t i = 0; i < n; i++)
		if (profiles[i].n_numa_list > out->n_numa_list) {
			out->numa_nodes = profiles[i].numa_nodes;
			out->n_numa_list = profiles[i].n_numa_list;
		}
	return rc;
}

/* The longest path of a run is known where that of all its processes is: otherwise nothing of it stays.  One may have
 * given it up, or be another program that has no tasks (OMPP_SPAN=auto). */
static void merge_span(struct ompp_profile *out)
{
	if (out->has_span)
		return;
	out->work_ns = out->span_ns = out->burdened_ns = out->fixed_ns = OMPP_MISSING;
	out->span_rest_ns = 0;
	out->n_tasks_created = out->n_tasks_lost = out->n_depends_unseen = 0;
	out->n_spans = out->n_predictions = 0;
	if (!out->has_gains)
		out->n_gains = 0;
}

/* Sets how long programs that are none of the processes had their processors, at least.  To each of the ranks of a run
 * on one host the other ranks are others, too; of processes that may have run one after another it is not known. */
static void merge_others(const struct ompp_profile *profiles, size_t n, struct ompp_profile *out)
{
	const char *host = ompp_profile_condition(&profiles[0], "Host");
	int64_t cpu_ns = 0, least_ns = INT64_MAX, error_ns = 0;

	out->others_ns = out->others_error_ns = OMPP_MISSING;
	for (size_t i = 0; i < n; i++) {
		const struct ompp_profile *p = &profiles[i];
		const char *its_host = ompp_profile_condition(p, "Host");

		if (p->mpi_rank < 0 || p->n_merged > 1 || !host || !its_host || strcmp(host, its_host) ||
		    p->others_ns == OMPP_MISSING || p->others_error_ns == OMPP_MISSING || p->user_ns == OMPP_MISSING ||
		    p->system_ns == OMPP_MISSING)
			return;
		cpu_ns = ompp_add(cpu_ns, ompp_add(p->user_ns, p->system_ns));
	}
	for (size_t i = 0; i < n; i++) {
		int64_t own_ns = ompp_add(profiles[i].user_ns, profiles[i].system_ns),
			ns = ompp_subtract(profiles[i].others_ns, ompp_subtract(cpu_ns, own_ns));

		least_ns = ns < least_ns ? ns : least_ns;
		error_ns = profiles[i].others_error_ns > error_ns ? profiles[i].others_error_ns : error_ns;
	}
	out->others_ns = least_ns > 0 ? least_ns : 0;
	out->others_error_ns = error_ns;
}

int ompp_profile_merge(const struct ompp_profile *profiles, size_t n, struct ompp_arena *arena,
                       struct ompp_profile *out)
{
	struct merge m = { .arena = arena };
	struct ompp_merge_map *maps = ompp_arena_alloc(arena, n * sizeof(*maps));
	size_t n_cells = 0, at = 0;
	int rc = maps ? merge_reserve(&m, profiles, n, &n_cells) : -ENOMEM;

	for (size_t i = 0; i < n && !rc; i++)
		rc = add_profile(&m, &profiles[i], &profiles[0], (uint32_t)i + 1, &maps[i]);
	if (!rc)
		rc = sort_numa_values(&m);
	if (rc)
		return rc;
	m.values = ompp_arena_alloc(arena, n_cells * m.n_metrics * sizeof(int64_t));
	if (!m.values)
		return -ENOMEM;
	for (size_t i = 0; i < m.n_nodes; i++) {
		m.nodes[i].first_cell = (uint32_t)at;
		at += m.nodes[i].n_cells;
		m.nodes[i].n_cells = 0;
	}
	for (size_t i = 0; i < n; i++) /* in the order of rows, so cells come out ascending */
		add_cells(&m, &profiles[i], &maps[i]);
	*out = profiles[0];
	for (size_t i = 1; i < n; i++)
		ompp_record_add(OMPP_SECTION_HEAD, out, &profiles[i]);
	for (size_t i = 0; i < n; i++)
		out->is_damaged |= profiles[i].is_damaged;
	out->n_merged = (uint32_t)n;
	out->off_ns = mean_off_ns(profiles, n);
	if (n > 1)
		merge_others(profiles, n, out);
	out->regions = m.regions;
	out->n_regions = m.n_regions;
	out->rows = m.rows;
	out->n_rows = m.n_rows;
	out->nodes = m.nodes;
	out->n_nodes = m.n_nodes;
	out->cells = m.cells;
	out->n_cells = at;
	out->metrics = m.metrics;
	out->n_metrics = m.n_metrics;
	out->values = m.values;
	out->evals = m.evals;
	out->n_evals = m.n_evals;
	out->numa_values = m.numa_values;
	out->n_numa_values = m.n_numa_values;
	out->conditions = m.conditions;
	out->n_conditions = m.n_conditions;
	out->notes = m.notes;
	out->n_notes = m.n_notes;
	out->processes = m.processes;
	out->n_processes = m.n_processes;
	rc = ompp_merge_data(profiles, n, maps, arena, out);
	if (!rc)
		rc = ompp_merge_blocks(profiles, n, maps, arena, out);
	if (!rc)
		rc = ompp_merge_samples(profiles, n, maps, arena, out);
	if (!rc)
		rc = merge_lists(profiles, n, maps, arena, out);
	merge_span(out);
	if (!rc)
		rc = ompp_merge_course(profiles, n, maps, arena, out);
	return rc ? rc : ompp_merge_meetings(profiles, n, maps, arena, out);
}
