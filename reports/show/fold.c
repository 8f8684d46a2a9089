/*
 * Fold: see fold.h.
 */
#include "reports/show/fold.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/analysis.h"
#include "reports/profile/merge_rows.h"
#include "reports/profile/number.h"
#include "reports/profile/record.h"
#include "runtime/base/array.h"

struct fold {
	const struct ompp_profile *from;
	struct ompp_profile *out;
	struct ompp_arena *arena;
	struct ompp_merge_map map;
	struct ompp_node *nodes;
};

static int has_instantiations(const struct ompp_profile *p)
{
	for (size_t i = 0; i < p->n_regions; i++)
		if (ompp_region_instantiation(&p->regions[i])[0])
			return 1;
	return 0;
}

/* ---- regions and call paths ---- */

static int is_same_place(const struct ompp_region *x, const struct ompp_region *y)
{
	return x->construct == y->construct && x->begin_line == y->begin_line && x->end_line == y->end_line &&
	       !strcmp(x->file, y->file) && !strcmp(x->name, y->name);
}

static int fold_regions(struct fold *f)
{
	const struct ompp_profile *p = f->from;
	struct ompp_region *regions = ompp_arena_alloc(f->arena, p->n_regions * sizeof(*regions));
	size_t n = 0, k;

	f->map.regions = ompp_arena_alloc(f->arena, p->n_regions * sizeof(uint32_t));
	if (!regions || !f->map.regions)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_regions; i++) {
		for (k = 0; k < n && !is_same_place(&regions[k], &p->regions[i]); k++)
			;
		f->map.regions[i] = (uint32_t)k;
		if (k < n) {
			ompp_record_add(OMPP_SECTION_REGIONS, &regions[k], &p->regions[i]);
			continue;
		}
		regions[n] = p->regions[i];
		regions[n++].instantiation = "";
	}
	f->out->regions = regions;
	f->out->n_regions = n;
	return 0;
}

/* Children of one call path that are the same now become the first of them. */
static int fold_nodes(struct fold *f)
{
	const struct ompp_profile *p = f->from;
	struct ompp_node *nodes = ompp_arena_alloc(f->arena, p->n_nodes * sizeof(*nodes));
	uint32_t *children = ompp_arena_alloc(f->arena, p->n_nodes * sizeof(*children));
	uint32_t *next = ompp_arena_alloc(f->arena, p->n_nodes * sizeof(*next)), n = 1;

	f->map.nodes = ompp_arena_alloc(f->arena, p->n_nodes * sizeof(uint32_t));
	if (!nodes || !children || !next || !f->map.nodes)
		return -ENOMEM;
	nodes[0] = p->nodes[0];
	f->map.nodes[0] = 0;
	for (uint32_t i = 1; i < p->n_nodes; i++) {
		struct ompp_node node = p->nodes[i];
		uint32_t *link;

		node.parent = f->map.nodes[node.parent];
		node.region = f->map.regions[node.region];
		for (link = &children[node.parent]; *link; link = &next[*link])
			if (nodes[*link].region == node.region && nodes[*link].construct == node.construct)
				break;
		if (!*link) {
			*link = n++;
			nodes[*link] = node;
		}
		f->map.nodes[i] = *link;
	}
	f->out->nodes = f->nodes = nodes;
	f->out->n_nodes = n;
	return 0;
}

/* ---- cells, and what belongs to one ---- */

/* Gives each row of each call path a cell of the result, in the order of call paths and rows. */
static int place_cells(struct fold *f, struct ompp_cell **cells)
{
	const struct ompp_profile *p = f->from;
	uint32_t *last = ompp_arena_alloc(f->arena, f->out->n_nodes * sizeof(*last)), n = 0;
	uint32_t *before = ompp_arena_alloc(f->arena, p->n_nodes * sizeof(*before));
	uint32_t *at = ompp_arena_alloc(f->arena, p->n_rows * sizeof(*at));

	*cells = ompp_arena_alloc(f->arena, p->n_cells * sizeof(**cells));
	f->map.cells = ompp_arena_alloc(f->arena, p->n_cells * sizeof(*f->map.cells));
	if (!last || !before || !at || !*cells || !f->map.cells)
		return -ENOMEM;
	for (uint32_t i = 0; i < p->n_nodes; i++) { /* the call paths that become one, as a chain: index + 1 */
		before[i] = last[f->map.nodes[i]];
		last[f->map.nodes[i]] = i + 1;
	}
	for (uint32_t i = 0; i < f->out->n_nodes; i++) {
		memset(at, 0, p->n_rows * sizeof(*at));
		for (uint32_t k = last[i]; k; k = before[k - 1])
			for (uint32_t c = 0; c < p->nodes[k - 1].n_cells; c++)
				at[p->cells[p->nodes[k - 1].first_cell + c].row] = 1;
		f->nodes[i].first_cell = n;
		for (uint32_t row = 0; row < p->n_rows; row++)
			if (at[row]) {
				(*cells)[n].row = row;
				at[row] = n++;
			}
		f->nodes[i].n_cells = n - f->nodes[i].first_cell;
		for (uint32_t k = last[i]; k; k = before[k - 1])
			for (uint32_t c = 0; c < p->nodes[k - 1].n_cells; c++) {
				uint32_t from = p->nodes[k - 1].first_cell + c;

				f->map.cells[from] = at[p->cells[from].row];
			}
	}
	f->out->cells = *cells;
	f->out->n_cells = n;
	return 0;
}

static int fold_cells(struct fold *f)
{
	const struct ompp_profile *p = f->from;
	size_t n_metrics = p->n_metrics;
	struct ompp_cell *cells;
	int64_t *values;

	if (place_cells(f, &cells))
		return -ENOMEM;
	values = ompp_arena_alloc(f->arena, f->out->n_cells * n_metrics * sizeof(*values));
	if (!values)
		return -ENOMEM;
	for (uint32_t i = 0; i < p->n_cells; i++) {
		ompp_cell_add(&cells[f->map.cells[i]], &p->cells[i]);
		for (size_t m = 0; m < n_metrics; m++) {
			int64_t *value = &values[f->map.cells[i] * n_metrics + m];

			*value = ompp_add_known(*value, p->values[i * n_metrics + m]);
		}
	}
	f->out->values = values;
	return 0;
}

/* Adds the waits of another instantiation.  How they vary over the arrivals and over the run is not known of both
 * together. */
static void wait_add(void *record, const void *other)
{
	struct ompp_wait *sum = record;
	const struct ompp_wait *more = other;

	sum->n += more->n;
	sum->work_ns = ompp_add_known(sum->work_ns, more->work_ns);
	sum->off_ns = ompp_add_known(sum->off_ns, more->off_ns);
	sum->asleep_ns = ompp_add_known(sum->asleep_ns, more->asleep_ns);
	sum->n_looked += more->n_looked;
	sum->looked_ns = ompp_add_known(sum->looked_ns, more->looked_ns);
	for (size_t i = 0; i < OMPP_N_CAUSES; i++)
		sum->cause_ns[i] = ompp_add_known(sum->cause_ns[i], more->cause_ns[i]);
	sum->made_ns = ompp_add_known(sum->made_ns, more->made_ns);
	sum->n_faults = ompp_add_known(sum->n_faults, more->n_faults);
	sum->usual_ns = ompp_add_known(sum->usual_ns, more->usual_ns);
	sum->least_ns = more->least_ns < sum->least_ns ? more->least_ns : sum->least_ns;
	sum->most_ns = more->most_ns > sum->most_ns ? more->most_ns : sum->most_ns;
	sum->spread_ns = sum->apart_error_ns = sum->pace_ps = OMPP_MISSING;
	sum->earlier_error_ns = sum->usual_body_ns = sum->usual_before_ns = OMPP_MISSING;
	sum->n_slices = sum->n_look_slices = 0;
	sum->apart_ns = sum->earlier_ns = 0;
}

static void duration_add(void *record, const void *other)
{
	struct ompp_duration *sum = record;
	const struct ompp_duration *more = other;

	if (more->n && (!sum->n || more->least_ns < sum->least_ns))
		sum->least_ns = more->least_ns;
	if (more->n && (!sum->n || more->most_ns > sum->most_ns)) {
		sum->most_ns = more->most_ns;
		sum->most_at = more->most_at;
	}
	sum->first_ns = more->first_ns > sum->first_ns ? more->first_ns : sum->first_ns;
	sum->n += more->n;
	sum->n_first += more->n_first;
	sum->off_ns = ompp_add_known(sum->off_ns, more->off_ns);
}

/* Folds a section with a record for each cell, whose first member is the cell. */
static int fold_by_cell(struct fold *f, enum ompp_section section, void (*add)(void *sum, const void *more))
{
	size_t n_bytes = ompp_schemas[section].record_bytes, n, n_out = 0;
	char *by_cell = ompp_arena_alloc(f->arena, f->out->n_cells * n_bytes), *records;
	char *has = ompp_arena_alloc(f->arena, f->out->n_cells);
	const void *list;

	n = ompp_records(section, f->from, &list);
	records = ompp_arena_alloc(f->arena, n * n_bytes);
	if (!by_cell || !has || !records)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const char *record = (const char *)list + i * n_bytes;
		uint32_t cell;

		memcpy(&cell, record, sizeof(cell));
		cell = f->map.cells[cell];
		if (has[cell])
			add(by_cell + cell * n_bytes, record);
		else
			memcpy(by_cell + cell * n_bytes, record, n_bytes);
		memcpy(by_cell + cell * n_bytes, &cell, sizeof(cell));
		has[cell] = 1;
	}
	for (size_t i = 0; i < f->out->n_cells; i++)
		if (has[i])
			memcpy(records + n_out++ * n_bytes, by_cell + i * n_bytes, n_bytes);
	ompp_records_set(section, f->out, records, n_out);
	return 0;
}

/* Folds how visits changed.  Where several instantiations become one cell it is not known, as their slices are not of
 * the same time. */
static int fold_slices(struct fold *f)
{
	struct ompp_profile alone = *f->from;
	struct ompp_duration_slice *slices = ompp_arena_alloc(f->arena, alone.n_duration_slices * sizeof(*slices));
	uint32_t *n_from = ompp_arena_alloc(f->arena, f->out->n_cells * sizeof(*n_from));
	size_t n = 0;

	if (!slices || !n_from)
		return -ENOMEM;
	for (size_t i = 0; i < f->from->n_durations; i++)
		n_from[f->map.cells[f->from->durations[i].cell]]++;
	for (size_t i = 0; i < f->from->n_duration_slices; i++)
		if (n_from[f->map.cells[f->from->duration_slices[i].cell]] == 1)
			slices[n++] = f->from->duration_slices[i];
	alone.duration_slices = slices;
	alone.n_duration_slices = n;
	return ompp_merge_rows(OMPP_SECTION_DURATION_SLICES, &alone, 1, &f->map, f->arena, f->out, NULL);
}

/* ---- what is about data ---- */

/* Returns 1 when records of a section point to regions, call paths, or cells or samples of these. */
static int points_there(enum ompp_section section)
{
	struct ompp_words words = ompp_schemas[section].words();

	for (size_t i = 0; i < words.n; i++)
		switch (words.list[i].bound) {
		case OMPP_BOUND_NODE:
		case OMPP_BOUND_NODE_OR_NONE:
		case OMPP_BOUND_REGION:
		case OMPP_BOUND_REGION_OR_NONE:
		case OMPP_BOUND_CELL:
		case OMPP_BOUND_SAMPLED:
			return 1;
		default:
			break;
		}
	return 0;
}

/* Lists of another order than that of their keys keep it, and records of several instantiations stay apart there. */
static int fold_list(struct fold *f, enum ompp_section section)
{
	size_t n_bytes = ompp_schemas[section].record_bytes, n;
	const void *list;
	char *records;

	n = ompp_records(section, f->from, &list);
	records = ompp_arena_alloc(f->arena, (n + 1) * n_bytes);
	if (!records)
		return -ENOMEM;
	if (n)
		memcpy(records, list, n * n_bytes);
	for (size_t i = 0; i < n; i++)
		ompp_merge_map_record(section, records + i * n_bytes, &f->map);
	ompp_records_set(section, f->out, records, n);
	return 0;
}

static int fold_data(struct fold *f)
{
	static const enum ompp_section lists[] = { OMPP_SECTION_LINES, OMPP_SECTION_PATTERNS,
		                                   OMPP_SECTION_ALLOCATIONS };
	int rc = 0;

	for (enum ompp_section s = OMPP_SECTION_NUMA_VALUES; s < OMPP_SECTION_VALUES && !rc; s++) {
		int is_list = 0;

		for (size_t i = 0; i < OMPP_COUNT_OF(lists); i++)
			is_list |= s == lists[i];
		if (is_list)
			rc = fold_list(f, s);
		else if (points_there(s) && s != OMPP_SECTION_WAITS && s != OMPP_SECTION_DURATIONS &&
		         s != OMPP_SECTION_DURATION_SLICES)
			rc = ompp_merge_rows(s, f->from, 1, &f->map, f->arena, f->out, NULL);
	}
	return rc;
}

/* The indices of objects stay the same. */
static int map_objects(struct fold *f)
{
	f->map.objects = ompp_arena_alloc(f->arena, f->from->n_objects * sizeof(uint32_t));
	if (!f->map.objects)
		return -ENOMEM;
	for (uint32_t i = 0; i < f->from->n_objects; i++)
		f->map.objects[i] = i;
	return 0;
}

int ompp_fold(struct ompp_profile *profile, struct ompp_arena *arena)
{
	struct ompp_profile out = *profile;
	struct fold f = { .from = profile, .out = &out, .arena = arena, .map.is_same_process = 1 };
	int rc;

	if (!has_instantiations(profile))
		return 0;
	rc = fold_regions(&f);
	if (!rc)
		rc = fold_nodes(&f);
	if (!rc)
		rc = fold_cells(&f);
	if (!rc)
		rc = fold_by_cell(&f, OMPP_SECTION_WAITS, wait_add);
	if (!rc)
		rc = fold_by_cell(&f, OMPP_SECTION_DURATIONS, duration_add);
	if (!rc)
		rc = fold_slices(&f);
	if (!rc)
		rc = map_objects(&f);
	if (!rc)
		rc = fold_data(&f);
	if (!rc)
		*profile = out;
	return rc;
}
