/*
 * Roofline: see roofline.h.
 */
#include "reports/bounds/roofline.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/traffic.h"
#include "reports/bounds/roof_use.h"
#include "runtime/base/sort.h"

/* Sums of one region at hand. */
struct roofline_maker {
	const struct ompp_analysis *a;
	struct ompp_roofline *made;
	uint32_t flops, flops_single, n_div, n_sqrt, intops, n_calls; /* metrics; OMPP_NONE without one */
	int64_t (*sums)[OMPP_N_TRAFFIC];                              /* by object */
	uint8_t *is_touched;                                          /* by object */
	uint32_t *touched;
	size_t n_touched, have_lines;
	int64_t line_bytes[OMPP_ROOFLINE_LEVELS]; /* 0: the level is not modelled */
};

static uint32_t roofline_metric(const struct ompp_profile *p, const char *name)
{
	for (uint32_t m = 0; m < p->n_metrics; m++)
		if (p->metrics[m].certainty == OMPP_EXACT && !strcmp(p->metrics[m].name, name))
			return m;
	return OMPP_NONE;
}

int ompp_roofline_is_there(const struct ompp_profile *p)
{
	return roofline_metric(p, "flops") != OMPP_NONE;
}

const char *ompp_ceiling_name(enum ompp_ceiling ceiling)
{
	static const char *const names[] = {
		[OMPP_CEILING_UNKNOWN] = "-",         [OMPP_CEILING_NONE] = "none",
		[OMPP_CEILING_BYTES] = "bandwidth",   [OMPP_CEILING_VECTOR] = "vector operations",
		[OMPP_CEILING_SCALAR] = "operations", [OMPP_CEILING_DIVISION] = "division",
		[OMPP_CEILING_LATENCY] = "latency",   [OMPP_CEILING_OVERHEAD] = "overhead"
	};

	return names[ceiling];
}

/* ---- operations ---- */

/* Returns the cell of a thread at a node: of the row, or of the row that forked the team whose first thread it is. */
static uint32_t thread_cell(const struct ompp_profile *p, uint32_t node, uint32_t row)
{
	for (;;) {
		const struct ompp_cell *cell = ompp_analysis_cell(p, node, row);

		if (cell)
			return (uint32_t)(cell - p->cells);
		if (p->rows[row].rank || p->rows[row].parent == OMPP_NONE)
			return OMPP_NONE;
		row = p->rows[row].parent;
	}
}

/* Does a cell of a node from top on down have what this cell counted?  Those of tasks have it alone. */
static int is_covered(const struct ompp_profile *p, uint32_t top, uint32_t node, uint32_t row, uint32_t metric)
{
	while (node != top && p->nodes[node].construct != OMPP_TASKEXEC) {
		uint32_t cell;

		node = p->nodes[node].parent;
		cell = thread_cell(p, node, row);
		if (cell != OMPP_NONE && p->values[cell * p->n_metrics + metric] != OMPP_MISSING)
			return 1;
	}
	return 0;
}

/* Returns what all threads counted in a region and below it; OMPP_MISSING where nothing was. */
static int64_t roofline_counted(const struct ompp_analysis *a, uint32_t region, uint32_t metric)
{
	const struct ompp_profile *p = a->profile;
	int64_t sum = OMPP_MISSING;

	for (uint32_t top = metric == OMPP_NONE ? OMPP_NONE : a->same_first[0][region]; top != OMPP_NONE;
	     top = a->same_next[top])
		for (uint32_t i = ompp_region_is_outer(a, top) ? top : OMPP_NONE; i != OMPP_NONE;
		     i = ompp_region_next(a, top, i))
			for (uint32_t k = p->nodes[i].first_cell; k < p->nodes[i].first_cell + p->nodes[i].n_cells;
			     k++) {
				int64_t value = p->values[k * p->n_metrics + metric];

				if (value != OMPP_MISSING && !is_covered(p, top, i, p->cells[k].row, metric))
					sum = ompp_add(sum == OMPP_MISSING ? 0 : sum, value);
			}
	return sum;
}

/* ---- bytes ---- */

static void forget_objects(struct roofline_maker *m)
{
	for (size_t i = 0; i < m->n_touched; i++)
		m->is_touched[m->touched[i]] = 0;
	m->n_touched = 0;
}

static void add_accesses(struct roofline_maker *m, uint32_t node)
{
	const struct ompp_traffic *t = m->a->traffic;

	for (uint32_t i = t->first[node]; i < t->first[node + 1]; i++) {
		const struct ompp_access *access = &m->a->profile->accesses[i];
		int64_t values[OMPP_N_TRAFFIC];

		if (!m->is_touched[access->object]) {
			m->is_touched[access->object] = 1;
			m->touched[m->n_touched++] = access->object;
			memset(m->sums[access->object], 0, sizeof(m->sums[0]));
		}
		ompp_traffic_of(m->a->profile, access, values);
		ompp_traffic_add(m->sums[access->object], values);
	}
}

/* Returns how many of an object's lines that a level fetched it wrote back. */
static int64_t lines_written(uint32_t object, const int64_t sums[OMPP_N_TRAFFIC], int64_t misses)
{
	int64_t stores = ompp_add(sums[OMPP_TRAFFIC_STORES], sums[OMPP_TRAFFIC_ATOMICS]);
	int64_t all = ompp_add(stores, sums[OMPP_TRAFFIC_LOADS]);

	if (object < OMPP_OBJECT_FIRST_NAMED)
		return all > 0 ? (int64_t)((__int128)misses * stores / all) : 0;
	return stores < misses ? stores : misses;
}

static void line_of_object(const struct roofline_maker *m, uint32_t region, uint32_t object,
                           struct ompp_roofline_line *line)
{
	const int64_t *sums = m->sums[object];

	*line = (struct ompp_roofline_line){ .region = region,
		                             .object = object,
		                             .flops = OMPP_MISSING,
		                             .flops_single = OMPP_MISSING,
		                             .n_divisions = OMPP_MISSING,
		                             .intops = OMPP_MISSING,
		                             .n_calls = OMPP_MISSING,
		                             .n_accesses = sums[OMPP_TRAFFIC_ACCESSES],
		                             .bytes = sums[OMPP_TRAFFIC_BYTES],
		                             .wall_ns = OMPP_MISSING,
		                             .overhead = OMPP_MISSING,
		                             .share = OMPP_MISSING };
	for (int i = 0; i < OMPP_ROOFLINE_LEVELS; i++) {
		int64_t misses = m->line_bytes[i] ? sums[OMPP_TRAFFIC_L1 + i] : OMPP_MISSING;
		int is_known = misses != OMPP_MISSING && sums[OMPP_TRAFFIC_STORES] != OMPP_MISSING;

		line->fetched[i] = is_known ? ompp_times(m->line_bytes[i], (uint64_t)misses) : OMPP_MISSING;
		line->written[i] = is_known
		                         ? ompp_times(m->line_bytes[i], (uint64_t)lines_written(object, sums, misses))
		                         : OMPP_MISSING;
	}
}

static void line_add(struct ompp_roofline_line *sum, const struct ompp_roofline_line *line)
{
	sum->n_accesses = ompp_add_known(sum->n_accesses, line->n_accesses);
	sum->bytes = ompp_add_known(sum->bytes, line->bytes);
	for (int i = 0; i < OMPP_ROOFLINE_LEVELS; i++) {
		sum->fetched[i] = ompp_add_known(sum->fetched[i], line->fetched[i]);
		sum->written[i] = ompp_add_known(sum->written[i], line->written[i]);
	}
}

int ompp_roofline_has_level(const struct ompp_analysis *a, int level)
{
	const struct ompp_profile *p = a->profile;

	for (size_t i = 0; i < p->n_cache_levels; i++)
		if (p->cache_levels[i].name[0] == 'L' && p->cache_levels[i].name[1] == '1' + level)
			return 1;
	return 0;
}

/* ---- lines ---- */

static struct ompp_roofline_line *roofline_room(struct roofline_maker *m, size_t n)
{
	struct ompp_roofline_line *lines = ompp_arena_grow(m->a->arena, m->made->lines, &m->have_lines, m->made->n + n,
	                                                   sizeof(*lines));

	if (!lines)
		return NULL;
	m->made->lines = lines;
	return lines + m->made->n;
}

/* Objects with most bytes below the last level come first; then those with most bytes. */
static int object_is_after(const void *maker, uint32_t x, uint32_t y)
{
	const struct roofline_maker *m = maker;
	const int64_t *a = m->sums[x], *b = m->sums[y];

	for (int i = OMPP_ROOFLINE_LEVELS - 1; i >= 0; i--)
		if (m->line_bytes[i] && a[OMPP_TRAFFIC_L1 + i] != b[OMPP_TRAFFIC_L1 + i])
			return a[OMPP_TRAFFIC_L1 + i] < b[OMPP_TRAFFIC_L1 + i];
	return a[OMPP_TRAFFIC_BYTES] != b[OMPP_TRAFFIC_BYTES] ? a[OMPP_TRAFFIC_BYTES] < b[OMPP_TRAFFIC_BYTES] : x > y;
}

/* Fills in the time: of another run, or of this one where nothing hooks its accesses. */
static void line_time(const struct roofline_maker *m, struct ompp_roofline_line *line)
{
	const struct ompp_analysis *a = m->a;
	struct ompp_region_time own;
	const struct ompp_region_time *time = &own;

	ompp_region_time(a, line->region, &own);
	line->n_threads = own.n_threads;
	line->n_exec = own.n_exec;
	line->overhead = OMPP_MISSING;
	line->wall_ns = OMPP_MISSING;
	if (a->times)
		time = a->times->why[line->region] ? NULL : &a->times->time[line->region];
	if (!m->made->has_times || !time || time->wall_ns <= 0)
		return;
	line->wall_ns = time->wall_ns;
	line->overhead = time->overhead;
}

static void line_counts(const struct roofline_maker *m, struct ompp_roofline_line *line)
{
	const struct ompp_analysis *a = m->a;

	line->flops = roofline_counted(a, line->region, m->flops);
	line->flops_single = roofline_counted(a, line->region, m->flops_single);
	line->n_divisions = ompp_add_known(roofline_counted(a, line->region, m->n_div),
	                                   roofline_counted(a, line->region, m->n_sqrt));
	line->intops = roofline_counted(a, line->region, m->intops);
	line->n_calls = ompp_profile_is_emulated(a->profile) ? 0 : roofline_counted(a, line->region, m->n_calls);
}

/* Adds the line of a region, and those of the objects that it accesses. */
static int add_region(struct roofline_maker *m, uint32_t region)
{
	const struct ompp_analysis *a = m->a;
	struct ompp_roofline_line *line;

	forget_objects(m);
	for (uint32_t top = a->same_first[0][region]; top != OMPP_NONE; top = a->same_next[top])
		for (uint32_t i = m->made->has_bytes && ompp_region_is_outer(a, top) ? top : OMPP_NONE; i != OMPP_NONE;
		     i = ompp_region_next(a, top, i))
			add_accesses(m, i);
	line = roofline_room(m, m->n_touched + 1);
	if (!line)
		return -ENOMEM;
	memset(line, 0, sizeof(*line));
	line->region = region;
	line->object = OMPP_NONE;
	line->share = OMPP_MISSING;
	if (!m->made->has_bytes)
		line->n_accesses = line->bytes = OMPP_MISSING;
	for (int i = 0; i < OMPP_ROOFLINE_LEVELS; i++)
		line->fetched[i] = line->written[i] = m->made->has_bytes && m->line_bytes[i] ? 0 : OMPP_MISSING;
	line_counts(m, line);
	line_time(m, line);
	if ((line->flops == OMPP_MISSING || line->flops == 0) && !m->n_touched)
		return 0;
	ompp_sort(m->touched, m->n_touched, object_is_after, m);
	for (size_t i = 0; i < m->n_touched; i++) {
		line_of_object(m, region, m->touched[i], line + 1 + i);
		line_add(line, line + 1 + i);
	}
	ompp_roof_uses(a, line);
	m->made->n += 1 + m->n_touched;
	return 0;
}

static void line_judge(struct ompp_roofline_line *line, int64_t delayed)
{
	if (line->object == OMPP_NONE)
		ompp_roof_judge(line, delayed);
	line->roof = line->nearest ? line->nearest->roof->name : "";
	line->roof_ns = line->nearest ? line->nearest->ns : OMPP_MISSING;
	line->bound_by = line->ceiling != OMPP_CEILING_UNKNOWN ? ompp_ceiling_name(line->ceiling) : "";
}

static int roofline_init(struct roofline_maker *m)
{
	const struct ompp_profile *p = m->a->profile;
	struct ompp_roofline *r = m->made;

	m->flops = roofline_metric(p, "flops");
	m->flops_single = roofline_metric(p, "flops_single");
	m->n_div = roofline_metric(p, "flops_div");
	m->n_sqrt = roofline_metric(p, "flops_sqrt");
	m->intops = roofline_metric(p, "intops");
	m->n_calls = roofline_metric(p, "math_calls");
	r->has_flops = m->flops != OMPP_NONE;
	r->has_bytes = m->a->traffic && m->a->traffic->is_counted && strcmp(p->data_method, "none") != 0;
	r->delayed = m->a->times ? m->a->times->delayed : ompp_region_delayed(p);
	r->has_times = m->a->times || (!p->hooked && !ompp_profile_is_emulated(p));
	for (size_t i = 0; i < p->n_cache_levels; i++)
		for (int level = 0; level < OMPP_ROOFLINE_LEVELS; level++)
			if (p->cache_levels[i].name[0] == 'L' && p->cache_levels[i].name[1] == '1' + level)
				m->line_bytes[level] = p->cache_levels[i].line_bytes;
	m->sums = ompp_analysis_array(m->a, p->n_objects, sizeof(m->sums[0]), 0);
	m->is_touched = ompp_analysis_array(m->a, p->n_objects, 1, 0);
	m->touched = ompp_analysis_array(m->a, p->n_objects, sizeof(uint32_t), 0);
	return m->sums && m->is_touched && m->touched ? 0 : -ENOMEM;
}

const struct ompp_roofline *ompp_roofline(const struct ompp_analysis *a)
{
	struct roofline_maker m = { .a = a, .made = a->made->roofline };
	int rc;

	if (m.made)
		return m.made;
	m.made = ompp_analysis_array(a, 1, sizeof(*m.made), 0);
	rc = m.made ? roofline_init(&m) : -ENOMEM;
	for (size_t i = 0; i < a->n_order && !rc; i++)
		rc = add_region(&m, a->order[i]);
	if (rc)
		return NULL;
	for (size_t i = 0; i < m.made->n; i++) /* the array has its place now */
		line_judge(&m.made->lines[i], m.made->delayed);
	a->made->roofline = m.made;
	return m.made;
}
